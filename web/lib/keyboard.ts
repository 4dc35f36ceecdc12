/** Less is a browser's own bar, or a zoom of a hair. */
const KEYBOARD_MIN_PX = 100;

/**
 * How much of the page a keyboard on the screen covers, as `--keyboard` of the document. iPhones leave the page its height under it and shift
 * what is seen; other browsers make the page smaller by themselves (`interactive-widget` in index.html), where this finds nothing.
 */
export function followKeyboard(): void {
  const view = window.visualViewport;
  if (!view) return;
  const measure = () => {
    // Zoomed in, less is seen for another reason.
    const hidden = view.scale > 1.01 ? 0 : Math.round(window.innerHeight - view.height);
    const covered = hidden < KEYBOARD_MIN_PX ? 0 : hidden;
    document.documentElement.style.setProperty("--keyboard", `${covered}px`);
    // The page fits now, so nothing of it stays shifted out of sight.
    if (covered > 0) window.scrollTo(0, 0);
  };
  view.addEventListener("resize", measure);
}
