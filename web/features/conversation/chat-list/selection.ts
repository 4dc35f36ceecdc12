/** Which rows of the list are ticked: some by their ids, or all that the view holds, loaded or not. */
export type Selection = {
  ids: ReadonlySet<string>;
  isAll: boolean;
  /** Where a range begins: the row that was ticked last without Shift. */
  anchor: string | null;
};

export const NOTHING: Selection = { ids: new Set(), isAll: false, anchor: null };

/** Ticks a row or takes its tick away; out of 'all' it leaves the other loaded rows, in `order`, ticked. */
export function toggle({ ids, isAll }: Selection, id: string, order: readonly string[]): Selection {
  const next = new Set(isAll ? order : ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, isAll: false, anchor: id };
}

/** Ticks what lies between the anchor and a row, both included, and keeps the rest as it is; without an anchor in sight the row alone. */
export function extendTo(selection: Selection, id: string, order: readonly string[]): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor);
  const to = order.indexOf(id);
  if (from === -1 || to === -1) return { ...selection, ids: new Set([...selection.ids, id]), anchor: id };
  const between = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, ids: new Set([...selection.ids, ...between]) };
}

/** All of the view. */
export function everything({ anchor }: Selection): Selection {
  return { ids: new Set(), isAll: true, anchor };
}

/** Whether a row is ticked. */
export function isTicked({ ids, isAll }: Selection, id: string): boolean {
  return isAll || ids.has(id);
}

/** The row to go to when those that `leaves` names go: the next one that stays, else the one before. */
export function rowAfterRemoval(id: string, order: readonly string[], leaves: (id: string) => boolean): string | null {
  const at = order.indexOf(id);
  if (at === -1) return null;
  return order.slice(at + 1).find((other) => !leaves(other)) ?? order.slice(0, at).findLast((other) => !leaves(other)) ?? null;
}
