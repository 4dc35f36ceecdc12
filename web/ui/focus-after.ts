import { flushSync } from "react-dom";

/** Does what takes the focused field off the screen, and gives the focus to the first of `selectors` that is then in sight. */
export function focusAfter(change: () => void, ...selectors: string[]): void {
  flushSync(change);
  const found = selectors.map((selector) => document.querySelector<HTMLElement>(selector));
  found.find((element) => element?.checkVisibility())?.focus({ preventScroll: true });
}
