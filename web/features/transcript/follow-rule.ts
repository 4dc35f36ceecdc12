/** Where a scroller stood: its offset and the height of its content, in px. */
export type Standing = { top: number; height: number };

/** True when someone scrolled up: further than the content's own change of height could have moved the view. */
export function isUpwardScroll(before: Standing, now: Standing, { isByHand }: { isByHand: boolean }): boolean {
  const moved = before.top - now.top;
  if (moved <= 0) return false;
  return isByHand || moved > Math.abs(now.height - before.height) + 1;
}
