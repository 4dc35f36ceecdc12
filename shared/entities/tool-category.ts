import * as z from "zod/mini";

/** A category of tools (spec 3), as this deployment has it. */
export const ToolCategory = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** A lucide icon's name. */
  icon: z.string(),
  toolIds: z.array(z.string()),
  /** True for one that no chat chooses: only single tools of it are switched off. */
  isAlwaysOn: z.boolean(),
  /** True for the tools of a person's own connection. */
  isDynamic: z.boolean(),
});
export type ToolCategory = z.infer<typeof ToolCategory>;
