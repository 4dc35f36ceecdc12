import { type RefObject, useCallback, useEffect, useRef } from "react";

/** How long what a press unfolds may still find its height, in milliseconds: its code may come with the first use. */
const UNFOLDING_MS = 600;

/** What folds a part of the page; what opens a menu or dialog changes nothing in it. */
const DISCLOSURES = "[aria-expanded]:not([aria-haspopup]), summary";

type Anchor = { element: Element; top: number; until: number };

/** Keeps a disclosure in the transcript where it was pressed; answers whether it just did. `onPress` comes before anything moves. */
export function useDisclosureAnchor(
  scroller: RefObject<HTMLElement | null>,
  onPress: (box: HTMLElement) => void,
): (box: HTMLElement) => boolean {
  const anchor = useRef<Anchor | null>(null);

  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const press = ({ target }: MouseEvent) => {
      const element = target instanceof Element ? target.closest(DISCLOSURES) : null;
      if (!element) return;
      anchor.current = { element, top: element.getBoundingClientRect().top, until: performance.now() + UNFOLDING_MS };
      onPress(box);
    };
    const letGo = () => {
      anchor.current = null;
    };
    // Before React hears of it, as what it folds is drawn in the same moment.
    box.addEventListener("click", press, { capture: true });
    for (const sign of ["wheel", "touchmove"]) box.addEventListener(sign, letGo, { passive: true });
    return () => {
      box.removeEventListener("click", press, { capture: true });
      for (const sign of ["wheel", "touchmove"]) box.removeEventListener(sign, letGo);
    };
  }, [scroller, onPress]);

  return useCallback((box) => {
    if (anchor.current === null || performance.now() > anchor.current.until || !anchor.current.element.isConnected) return false;
    const moved = anchor.current.element.getBoundingClientRect().top - anchor.current.top;
    if (Math.abs(moved) >= 1) box.scrollTop += moved;
    return true;
  }, []);
}
