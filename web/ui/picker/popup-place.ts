/** The card beside the list, in px (measures). */
export const CARD_WIDTH = 312;
export const GAP = 8;
const EDGE = 8;

type Box = { left: number; top: number; bottom: number };
type Size = { width: number; height: number };

export type PopupPlace = { left: number; top: number; opens: "above" | "below" };

/**
 * Where a dropdown goes: its left edge on its button, 8 px above what it belongs to (the composer, so that the draft stays
 * visible), moved left as far as it and its card need; below where there is no room above. `top` is the list's upper edge.
 */
export function placePopup(button: Box, { owner, viewport, size }: { owner: Box; viewport: Size; size: Size }): PopupPlace {
  const left = Math.max(EDGE, Math.min(button.left, viewport.width - EDGE - size.width));
  const above = owner.top - GAP - size.height;
  const below = owner.bottom + GAP;
  if (above >= EDGE || below + size.height > viewport.height - EDGE) return { left, top: Math.max(EDGE, above), opens: "above" };
  return { left, top: below, opens: "below" };
}
