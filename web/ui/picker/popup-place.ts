/** The card beside the list, in px (measures). */
export const CARD_WIDTH = 312;
export const GAP = 8;
const EDGE = 8;

type Box = { left: number; top: number; bottom: number };
type Size = { width: number; height: number };

/** `maxHeight` for what scrolls beyond it. */
export type PopupPlace = { left: number; top: number; opens: "above" | "below"; maxHeight?: number };

type Around = { owner: Box; viewport: Size; size: Size; prefers: PopupPlace["opens"] };

/** A list as high as its rows opens above where it has so much room, and scrolls. */
const ENOUGH = 200;

/**
 * Where a dropdown goes: its left edge on its button, 8 px above or below what it belongs to, moved left as far as it and its card
 * need; on the other side where there is no room. `top` is the list's upper edge.
 */
export function placePopup(button: Box, { owner, viewport, size, prefers }: Around): PopupPlace {
  const left = Math.max(EDGE, Math.min(button.left, viewport.width - EDGE - size.width));
  const above = owner.top - GAP - size.height;
  const below = owner.bottom + GAP;
  const fitsBelow = below + size.height <= viewport.height - EDGE;
  const isBelow = fitsBelow && (prefers === "below" || above < EDGE);
  return isBelow ? { left, top: below, opens: "below" } : { left, top: Math.max(EDGE, above), opens: "above" };
}

/**
 * Where a dropdown goes that is as high as its rows, above what it belongs to: there where it has enough room, else below, and no higher
 * than the room. On which side does not depend on its height, which follows from that.
 */
export function placeScrolling(button: Box, { owner, viewport, size }: Omit<Around, "prefers">): PopupPlace {
  const left = Math.max(EDGE, Math.min(button.left, viewport.width - EDGE - size.width));
  const above = owner.top - GAP - EDGE;
  const below = viewport.height - EDGE - (owner.bottom + GAP);
  if (above >= ENOUGH || above >= below) {
    const maxHeight = Math.max(0, above);
    return { left, top: owner.top - GAP - Math.min(size.height, maxHeight), opens: "above", maxHeight };
  }
  return { left, top: owner.bottom + GAP, opens: "below", maxHeight: below };
}
