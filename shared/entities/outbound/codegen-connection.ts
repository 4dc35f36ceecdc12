import * as z from "zod/mini";

export const CodegenConnection = z.object({
  connected: z.boolean(),
  orgId: z.nullable(z.string()),
  /** Why it does not work any more; null while it does. */
  error: z.nullable(z.string()),
});
export type CodegenConnection = z.infer<typeof CodegenConnection>;
