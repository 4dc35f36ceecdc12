import { type RefObject, useEffect, useState } from "react";
import type { DiagramImage } from "#web/features/markdown/diagrams/diagram-messages.ts";

type Size = Pick<DiagramImage, "width" | "height">;

const SIZES_KEPT = 200;
/** What was drawn since the page was loaded, by source: it has its own height from the first when it is shown again. */
const sizes = new Map<string, Size>();

/** Without it, what changes above the view moves the view. */
const isAnchored = CSS.supports("overflow-anchor", "auto");

/**
 * The size at which a diagram takes its own room, in CSS pixels; null while it keeps the room that was held for it. It settles
 * where nobody sees anything move: while it is out of view, or reaches beyond its end as it is drawn.
 */
export function useSettledSize(
  box: RefObject<HTMLElement | null>,
  { source, image }: { source: string; image: Size | undefined },
): Size | null {
  const [isSettled, setIsSettled] = useState(() => sizes.has(source));

  useEffect(() => {
    const element = box.current;
    if (!image || !element) return undefined;
    remember(source, image);
    if (isSettled) return undefined;
    let isFirst = true;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry) return;
      const { isIntersecting, boundingClientRect: whole, intersectionRect: seen, rootBounds: root } = entry;
      const isBelow = isIntersecting ? isFirst && seen.bottom < whole.bottom - 1 : root !== null && whole.top >= root.bottom;
      if (isBelow || (!isIntersecting && isAnchored)) setIsSettled(true);
      isFirst = false;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, image, isSettled, source]);

  return isSettled ? (image ?? sizes.get(source) ?? null) : null;
}

function remember(source: string, { width, height }: Size): void {
  sizes.delete(source);
  sizes.set(source, { width, height });
  const [oldest] = sizes.keys();
  if (sizes.size > SIZES_KEPT && oldest !== undefined) sizes.delete(oldest);
}
