import { TOOL_CATEGORIES, type ToolCategory } from "#shared/tool-categories.ts";

/** Every category that there is, in its order. */
export const CATEGORIES: readonly ToolCategory[] = TOOL_CATEGORIES;

/** Those that a chat may have or not; the others are always on. */
export const OPTIONAL_CATEGORIES = CATEGORIES.filter(({ isAlwaysOn }) => !isAlwaysOn);

/** The optional categories among these ids. */
export function optionalAmong(ids: readonly string[]): string[] {
  return OPTIONAL_CATEGORIES.map(({ id }) => id).filter((id) => ids.includes(id));
}

/** These ids with one put in or taken out. */
export function toggled(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((held) => held !== id) : [...ids, id];
}

/** What the picker's button shows: 'No tools', '1 tool', '3 tools' (spec 2). */
export function toolCountText(count: number): string {
  if (count === 0) return "No tools";
  return count === 1 ? "1 tool" : `${count} tools`;
}
