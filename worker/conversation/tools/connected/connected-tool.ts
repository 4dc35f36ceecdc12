import * as z from "zod/mini";

/** A tool of a person's connection as a turn holds it: stored with the turn, so whoever takes it up offers and calls the very same. */
export const ConnectedTool = z.object({
  id: z.string(),
  connectionId: z.string(),
  /** What its person calls the connection, and where that is. */
  connection: z.string(),
  serverUrl: z.string(),
  /** What its server calls it. */
  name: z.string(),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  /** What its person agreed to, as text. */
  agreed: z.string(),
  /** True where it need not ask: it only reads, and its server is believed. */
  isQuiet: z.boolean(),
});
export type ConnectedTool = z.infer<typeof ConnectedTool>;
