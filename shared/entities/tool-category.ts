import * as z from "zod/mini";

/**
 * How a category stands with its person: `changed` where a server's tools are others than they agreed to, `off` where they switched it off.
 * Guests see with `needs_account` what an account would have, accounts with `unconnected` and `unindexed` what their Google account would.
 */
export const CategoryState = z.enum(["ready", "changed", "needs_sign_in", "failing", "off", "needs_account", "unconnected", "unindexed"]);
export type CategoryState = z.infer<typeof CategoryState>;

const TO_COME: ReadonlySet<CategoryState> = new Set(["needs_account", "unconnected", "unindexed"]);

/** True for a category that its person has; false for one that they would have after a step of theirs. */
export function isAvailable({ state }: { state: CategoryState }): boolean {
  return !TO_COME.has(state);
}

/** What is shown of a tool that no presenter knows by its id. */
export const NamedTool = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** True where it asks before each call, unless its person allows it always. */
  asksFirst: z.boolean(),
});
export type NamedTool = z.infer<typeof NamedTool>;

/** A category of tools, as this deployment and this person have it. */
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
  state: CategoryState,
  /** The tools themselves, where the category is dynamic. */
  tools: z.optional(z.array(NamedTool)),
});
export type ToolCategory = z.infer<typeof ToolCategory>;
