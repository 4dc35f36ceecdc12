import { type RefObject, useLayoutEffect, useState } from "react";
import type { CacheSnapshot, VirtualizerHandle } from "virtua";

type Place = { cache: CacheSnapshot; top: number };

/** Where each list was left, for as long as the page lives. */
const places = new Map<string, Place>();

type ListPlace = { key: string; list: RefObject<VirtualizerHandle | null>; scroller: RefObject<HTMLDivElement | null> };

/** Puts a list where it was left, in its first frame, and keeps its rows under the pointer when the bar above it comes and goes. */
export function useListScrollRestoration({ key, list, scroller }: ListPlace): { cache?: CacheSnapshot; onScrollEnd: () => void } {
  const [left] = useState(() => places.get(key));
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    if (left) box.scrollTo({ top: left.top });
    let { top } = box.getBoundingClientRect();
    const observer = new ResizeObserver(() => {
      const { top: now } = box.getBoundingClientRect();
      // Seen from its top with nobody at it, the list goes down with its first heading instead.
      const isAnchored = box.scrollTop > 0 || box.matches(":hover, :focus-within");
      if (now !== top && isAnchored) box.scrollBy({ top: now - top });
      top = now;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [left, scroller]);
  const onScrollEnd = () => {
    if (list.current && scroller.current) places.set(key, { cache: list.current.cache, top: scroller.current.scrollTop });
  };
  return { ...(left && { cache: left.cache }), onScrollEnd };
}
