import type { ToolSettings } from "#shared/entities/tool-setting.ts";
import { TOOL_CATEGORIES, type ToolCategory } from "#shared/tool-categories.ts";
import { isToolOn } from "#shared/tool-rules.ts";
import { findTool } from "./registry.ts";

type Choice = {
  /** The chat's optional categories that are on. */
  categories: readonly string[];
  settings: ToolSettings;
  /** False for a model that can't call tools: it is offered none. */
  modelHasTools: boolean;
  /** Guests get no tool that acts outside. */
  isGuest: boolean;
};

/** The ids of the tools that a turn's model may call, in the order of their categories. */
export function selectTools({ categories, settings, modelHasTools, isGuest }: Choice): string[] {
  if (!modelHasTools) return [];
  const known: readonly ToolCategory[] = TOOL_CATEGORIES;
  return known.flatMap((category) =>
    category.toolIds.filter((id) => {
      const tool = isToolOn(category, settings[id], categories) ? findTool(id) : null;
      return tool !== null && !(isGuest && tool.actsOutside);
    }),
  );
}
