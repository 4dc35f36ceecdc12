import * as z from "zod/mini";

/** How a person's code agent is connected (spec 3, Codegen). */
export const CodegenConnection = z.object({
  connected: z.boolean(),
  orgId: z.nullable(z.string()),
  /** Why it does not work any more; null while it does. */
  error: z.nullable(z.string()),
});
export type CodegenConnection = z.infer<typeof CodegenConnection>;
