import { DialogPopup } from "./dialog.tsx";
import { DrawerPopup } from "./drawer.tsx";
import { MenuPopup } from "./menu.tsx";
import { PopoverPopup } from "./popover.tsx";

const parts = [MenuPopup, DialogPopup, PopoverPopup, DrawerPopup];

/** Loads the overlays' machinery with the first sign of life, so that the first menu or dialog opens at once. */
export function preloadOverlays(): void {
  const signs = ["pointermove", "pointerdown", "keydown"] as const;
  const load = () => {
    for (const sign of signs) window.removeEventListener(sign, load);
    const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
    later(() => {
      // The first real use tries again and shows its own failure.
      for (const part of parts) part.preload().catch(() => undefined);
    });
  };
  for (const sign of signs) window.addEventListener(sign, load, { passive: true });
}
