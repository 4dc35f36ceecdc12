import { type RefObject, useEffect, useState } from "react";
import { SPLIT_PX } from "./desk-view.ts";

/** Whether source and preview fit beside each other. */
export function useDeskRoom(box: RefObject<HTMLElement | null>): boolean {
  const [isWide, setIsWide] = useState(() => window.innerWidth >= SPLIT_PX + 288);
  useEffect(() => {
    if (!box.current) return undefined;
    const watch = new ResizeObserver(([entry]) => entry && setIsWide(entry.contentRect.width >= SPLIT_PX));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [box]);
  return isWide;
}
