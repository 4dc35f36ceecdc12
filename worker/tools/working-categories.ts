import type { ToolCategory } from "#shared/entities/tool-category.ts";
import type { Env } from "../env.ts";
import { TOOL_CATEGORIES } from "./categories.ts";
import { TOOLS } from "./registry.ts";

/** The categories with those of their tools that work here; one without any is left out. */
export function workingCategories(env: Env): ToolCategory[] {
  const isWorking = (id: string) => TOOLS.some((tool) => tool.id === id && (tool.isSetUp?.(env) ?? true));
  return TOOL_CATEGORIES.map((category) => ({ ...category, toolIds: category.toolIds.filter(isWorking) })).filter(
    ({ toolIds }) => toolIds.length > 0,
  );
}
