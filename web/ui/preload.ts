import { afterFirstText, isFirstTextAwaited } from "#web/lib/first-text.ts";
import { DialogPopup } from "#web/ui/dialog/dialog.tsx";
import { DrawerPopup } from "#web/ui/dialog/drawer.tsx";
import { MenuPopup } from "#web/ui/menu/menu.tsx";
import { PopoverPopup } from "#web/ui/menu/popover.tsx";

type Part = { preload: () => Promise<void> };

/** Loads what a press may open with the first sign of life, so it opens at once; returns how to call it off. */
export function preloadAtFirstSign(parts: readonly Part[]): () => void {
  const signs = ["pointermove", "pointerdown", "keydown"] as const;
  const stop = () => {
    for (const sign of signs) window.removeEventListener(sign, load);
  };
  const load = () => {
    stop();
    const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
    const preload = async () => {
      if (isFirstTextAwaited()) {
        await afterFirstText();
        return void later(() => void preload());
      }
      // The first real use tries again and shows its own failure.
      for (const part of parts) part.preload().catch(() => undefined);
    };
    later(() => void preload());
  };
  for (const sign of signs) window.addEventListener(sign, load, { passive: true });
  return stop;
}

/** The same for the overlays' machinery. */
export function preloadOverlays(): () => void {
  return preloadAtFirstSign([MenuPopup, DialogPopup, PopoverPopup, DrawerPopup]);
}
