import * as z from "zod/mini";

/** What a person set about one tool. */
export const ToolSetting = z.object({
  enabled: z.boolean(),
  /** True where `enabled` decides alone, whatever the tool's category: on in every chat, or off even though its category is always on. */
  is_always_on_override: z.boolean(),
  /** True where the tool acts without asking each time. */
  always_allowed: z.boolean(),
});
export type ToolSetting = z.infer<typeof ToolSetting>;

/** Settings by tool id; a tool without one is enabled and asks. */
export const ToolSettings = z.record(z.string(), ToolSetting);
export type ToolSettings = z.infer<typeof ToolSettings>;
