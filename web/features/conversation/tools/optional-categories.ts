import type { ToolCategory } from "#shared/entities/tool-category.ts";

type Known = Pick<ToolCategory, "id" | "isAlwaysOn">;

/** Those that a chat may have or not; the others are always on. */
export function optionalOf<T extends Known>(categories: readonly T[]): T[] {
  return categories.filter(({ isAlwaysOn }) => !isAlwaysOn);
}

/** The ids among these that are an optional category's, in the categories' order. */
export function optionalAmong(ids: readonly string[], categories: readonly Known[]): string[] {
  return optionalOf(categories)
    .map(({ id }) => id)
    .filter((id) => ids.includes(id));
}

/** These ids with one put in or taken out. */
export function toggled(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((held) => held !== id) : [...ids, id];
}

/** What the picker's button shows: 'No tools', '1 tool', '3 tools'. */
export function toolCountText(count: number): string {
  if (count === 0) return "No tools";
  return count === 1 ? "1 tool" : `${count} tools`;
}

/** What the note calls the tools of a category that is always on. */
const AUTOMATIC = [
  ["search", "web search"],
  ["artifacts", "artifact"],
  ["todo", "to-do"],
] as const;

/** 'Web search, artifact and to-do tools are used automatically at the agent's discretion.', naming those that there are; null for none. */
export function automaticNote(categories: readonly Known[]): string | null {
  const names = AUTOMATIC.flatMap(([id, name]) => (categories.some((category) => category.id === id && category.isAlwaysOn) ? [name] : []));
  const [last, ...others] = names.toReversed();
  if (last === undefined) return null;
  const list = others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
  return `${list.charAt(0).toUpperCase()}${list.slice(1)} tools are used automatically at the agent's discretion.`;
}
