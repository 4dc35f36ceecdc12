/** A line of the list: an option with its place among the options, or the heading of those that follow. */
export type PickerRow<T> = { kind: "heading"; text: string } | { kind: "option"; item: T; index: number };

/** The lines of a list, a heading before the first option of each group. */
export function rowsOf<T>(items: readonly T[], groupOf: ((item: T) => string | null) | undefined): PickerRow<T>[] {
  let last: string | null = null;
  return items.flatMap((item, index): PickerRow<T>[] => {
    const option = { kind: "option", item, index } as const;
    const group = groupOf?.(item) ?? null;
    const isFirst = group !== last;
    last = group;
    return isFirst && group !== null ? [{ kind: "heading", text: group }, option] : [option];
  });
}
