/** Loads the overlays' machinery with the first sign of life, so that the first menu or dialog opens at once. */
export function preloadOverlays(): void {
  const signs = ["pointermove", "pointerdown", "keydown"] as const;
  const load = () => {
    for (const sign of signs) window.removeEventListener(sign, load);
    const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
    later(() => {
      void Promise.all([
        import("./menu-popup.tsx"),
        import("./dialog-popup.tsx"),
        import("./popover-popup.tsx"),
        import("./drawer-popup.tsx"),
      ]).catch(
        // The first real use tries again and shows its own failure.
        () => undefined,
      );
    });
  };
  for (const sign of signs) window.addEventListener(sign, load, { passive: true });
}
