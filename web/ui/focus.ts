import { flushSync } from "react-dom";

/** Does what takes the focused field off the screen, and gives the focus to the first of `selectors` that is then in sight. */
export function focusAfter(change: () => void, ...selectors: string[]): void {
  flushSync(change);
  const found = selectors.map((selector) => document.querySelector<HTMLElement>(selector));
  found.find((element) => element?.checkVisibility())?.focus({ preventScroll: true });
}

/** A ref that takes the focus when its element appears: for fields that appear because the person asked for them. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

const PLACES = '[tabindex="-1"], [role="tabpanel"], [role="dialog"], [role="alertdialog"], main';

/** Where the focus was put that went with a button. */
let focusedPlace: HTMLElement | null = null;

/**
 * A ref for a button that gives way to what it asks for: the focus that would be lost with it stays at the panel, dialog or page around
 * it, and is back on the button when that comes again.
 */
export function returnFocusRef(button: HTMLElement | null): (() => void) | undefined {
  if (!button) return undefined;
  if (focusedPlace !== null && focusedPlace === document.activeElement && focusedPlace.contains(button))
    button.focus({ preventScroll: true });
  return () => {
    if (document.activeElement !== button) return;
    const places = placesAround(button);
    // Once it is gone, and unless what came took the focus.
    queueMicrotask(() => {
      const place = places.find((element) => element.isConnected);
      if (!place || document.activeElement !== document.body) return;
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
      focusedPlace = place;
    });
  };
}

function placesAround(element: HTMLElement): HTMLElement[] {
  const place = element.parentElement?.closest<HTMLElement>(PLACES);
  return place ? [place, ...placesAround(place)] : [];
}
