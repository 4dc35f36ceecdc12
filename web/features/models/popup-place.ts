/** Sizes of the dropdown and of the card beside it in px (spec 2, measures). */
export const LIST_WIDTH = 300;
export const LIST_HEIGHT = 320;
export const CARD_WIDTH = 312;
const GAP = 8;
const EDGE = 8;

type Box = { left: number; top: number; bottom: number };

export type PopupPlace = { left: number; top: number; opens: "above" | "below" };

/**
 * Where the dropdown goes: its left edge on its button, 8 px above what it belongs to (the composer, so that the draft stays
 * visible), moved left as far as the card needs; below where there is no room above. `top` is the list's upper edge.
 */
export function placePopup(button: Box, owner: Box, viewport: { width: number; height: number }): PopupPlace {
  const room = viewport.width - EDGE - (LIST_WIDTH + GAP + CARD_WIDTH);
  const left = Math.max(EDGE, Math.min(button.left, room));
  const above = owner.top - GAP - LIST_HEIGHT;
  const below = owner.bottom + GAP;
  if (above >= EDGE || below + LIST_HEIGHT > viewport.height - EDGE) return { left, top: Math.max(EDGE, above), opens: "above" };
  return { left, top: below, opens: "below" };
}
