import type { ToolSettings } from "#shared/entities/tool-setting.ts";
import { isToolOn } from "#shared/tools/tool-rules.ts";
import type { Env } from "#worker/platform/env.ts";
import { categoryOf } from "#worker/people/tool-settings/categories.ts";
import { isForAccounts, type Tool } from "./tool.ts";

type Choice = {
  /** The chat's optional categories that are on. */
  categories: readonly string[];
  settings: ToolSettings;
  /** False for a model that can't call tools: it is offered none. */
  modelHasTools: boolean;
  /** Guests get no tool that acts outside, and none for what accounts alone have. */
  isGuest: boolean;
};

/** The ids of those of the tools that a turn's model may call. */
export function selectTools(tools: readonly Tool[], env: Env, { categories, settings, modelHasTools, isGuest }: Choice): string[] {
  if (!modelHasTools) return [];
  return tools
    .filter((tool) => {
      const isOn = isToolOn(categoryOf(tool.id), settings[tool.id], categories) && (tool.isSetUp?.(env) ?? true);
      return isOn && !(isGuest && isForAccounts(tool));
    })
    .map(({ id }) => id);
}
