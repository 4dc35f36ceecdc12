/** Where a transcript was left: at its end, or with a message at a distance (px) from the top edge. */
export type ScrollPlace = { kind: "end" } | { kind: "message"; id: string; offset: number };

const places = new Map<string, ScrollPlace>();

/** Distance from the end, in px, that still counts as being there. */
export const END_TOLERANCE_PX = 24;

/** Notes where a chat's transcript stands. */
export function rememberPlace(chatId: string, scroller: HTMLElement): void {
  places.set(chatId, placeOf(scroller));
}

/** Puts a transcript where it was left; a chat not seen before opens at its end. */
export function restorePlace(chatId: string, scroller: HTMLElement): void {
  const place = places.get(chatId) ?? { kind: "end" };
  const turn = place.kind === "message" ? turnOf(scroller, place.id) : null;
  if (place.kind === "end" || turn === null) scroller.scrollTop = scroller.scrollHeight;
  else scroller.scrollTop += turn.getBoundingClientRect().top - scroller.getBoundingClientRect().top - place.offset;
}

/** Has a chat's transcript stand at a message, this far (px) below its top edge, when it is next put in its place. */
export function placeAt(chatId: string, id: string, offset: number): void {
  places.set(chatId, { kind: "message", id, offset });
}

/** True when a chat's transcript was left at its end, or not seen before. */
export function opensAtEnd(chatId: string): boolean {
  return places.get(chatId)?.kind !== "message";
}

/** True when the end of the content is in view. */
export function isAtEnd(scroller: HTMLElement): boolean {
  return distanceFromEnd(scroller) <= END_TOLERANCE_PX;
}

/** What lies below the view, in px. */
export function distanceFromEnd(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
}

/** Where a message starts within the content, in px; null when it is not there. */
export function topOf(scroller: HTMLElement, messageId: string): number | null {
  return turnOf(scroller, messageId)?.offsetTop ?? null;
}

function turnOf(scroller: HTMLElement, messageId: string): HTMLElement | null {
  return scroller.querySelector<HTMLElement>(`[data-message="${messageId}"]`);
}

function placeOf(scroller: HTMLElement): ScrollPlace {
  if (isAtEnd(scroller)) return { kind: "end" };
  const top = scroller.getBoundingClientRect().top;
  for (const turn of scroller.querySelectorAll<HTMLElement>("[data-message]")) {
    const box = turn.getBoundingClientRect();
    if (box.bottom > top) return { kind: "message", id: turn.dataset["message"] ?? "", offset: box.top - top };
  }
  return { kind: "end" };
}
