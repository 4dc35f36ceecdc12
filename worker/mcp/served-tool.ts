import * as z from "zod/mini";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { toWireName } from "../tools/wire-names.ts";

/** A tool as a server named it, cut to what a turn can carry. */
export const ServedTool = z.object({
  name: z.string(),
  title: z.nullable(z.string()),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  /** What its server says of it: nobody has to believe that. */
  saysReadOnly: z.boolean(),
});
export type ServedTool = z.infer<typeof ServedTool>;

/** A stored list of tools. */
export function parseTools(json: string): ServedTool[] {
  return z.array(ServedTool).parse(JSON.parse(json));
}

/** A tool's id among all: no server can name one so that it is taken for another's. */
export function connectedToolId(connectionId: string, name: string): string {
  return toWireName(`${connectionCategory(connectionId)}_${name}`);
}
