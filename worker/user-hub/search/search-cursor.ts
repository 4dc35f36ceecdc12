/** Where a page of hits ends: below which numbers of the index its messages and todos go on, and its chats; null where one is through. */
export type SearchPosition = { place: number | null; card: number | null };

const CURSOR = /^(\d{1,15})?(?:c(\d{1,15}))?$/;

/** Reads a cursor; null for the start, and for what is none. */
export function parseCursor(cursor: string | undefined): SearchPosition | null {
  const match = CURSOR.exec(cursor ?? "");
  const [, place, card] = match ?? [];
  return place === undefined && card === undefined ? null : { place: toNumber(place), card: toNumber(card) };
}

function toNumber(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/** The cursor of what comes next, or null where nothing does. */
export function formatCursor({ place, card }: SearchPosition): string | null {
  return place === null && card === null ? null : `${place ?? ""}${card === null ? "" : `c${card}`}`;
}
