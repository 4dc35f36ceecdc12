import type { ToolSetting } from "#shared/entities/tool-setting.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";

/** Whether a tool may be called in a chat that chose these categories; one without a category only by a setting that overrides, which decides alone. */
export function isToolOn(
  category: Pick<ToolCategory, "id" | "isAlwaysOn"> | null,
  setting: ToolSetting | undefined,
  chosen: readonly string[],
): boolean {
  if (setting?.is_always_on_override) return setting.enabled;
  if (category === null) return false;
  if (category.isAlwaysOn) return true;
  return chosen.includes(category.id) && setting?.enabled !== false;
}

/** Whether a person left a tool on, wherever its category is chosen; what the settings' switches and counts show. */
export function isToolEnabled(setting: ToolSetting | undefined): boolean {
  return setting?.enabled !== false;
}

/** The setting after a switch: within an always-on category only an override has an effect. */
export function switchTool(category: Pick<ToolCategory, "isAlwaysOn">, setting: ToolSetting | undefined, enabled: boolean): ToolSetting {
  return { enabled, is_always_on_override: category.isAlwaysOn && !enabled, always_allowed: setting?.always_allowed ?? false };
}
