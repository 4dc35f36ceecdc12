import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { distanceFromEnd, END_TOLERANCE_PX, isAtEnd, rememberPlace, restorePlace, topOf } from "./scroll-place.ts";

/** How near the start, in px, older messages are fetched. */
const OLDER_MARGIN_PX = 800;

type Options = {
  chatId: string;
  /** The first message held: a change means that older ones came in above it. */
  firstId: string | undefined;
  /** The question sent last from here: it is scrolled to when it appears. */
  anchorId: string | null;
  onNearStart: () => void;
};

/** Follows the end only while the reader is there, keeps the place when older messages arrive, and remembers it by chat. */
export function useTranscriptScroll({ chatId, firstId, anchorId, onNearStart }: Options) {
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setIsAway] = useState(false);

  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    isFollowing.current = true;
    box.scrollTop = box.scrollHeight;
    lastTop.current = box.scrollTop;
    setIsAway(false);
  }, []);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    restorePlace(chatId, box);
    isFollowing.current = isAtEnd(box);
    lastTop.current = box.scrollTop;
    return () => rememberPlace(chatId, box);
  }, [chatId]);

  useReserve(scroller, anchorId);
  const scrolledTo = useRef(anchorId);
  useLayoutEffect(() => {
    if (anchorId !== scrolledTo.current && anchorId !== null) toEnd();
    scrolledTo.current = anchorId;
  }, [anchorId, toEnd]);

  useKeptPlace(scroller, firstId);

  useEffect(() => {
    const box = scroller.current;
    const content = box?.firstElementChild;
    if (!box || !content) return undefined;
    const onResize = new ResizeObserver(() => {
      if (isFollowing.current) toEnd();
      else setIsAway(distanceFromEnd(box) > END_TOLERANCE_PX);
    });
    onResize.observe(content);
    onResize.observe(box);
    return () => onResize.disconnect();
  }, [toEnd]);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    // Content that shrinks moves the place up too, but leaves it at the very end.
    if (box.scrollTop < lastTop.current && distanceFromEnd(box) > 1) isFollowing.current = false;
    else if (box.scrollTop > lastTop.current && isAtEnd(box)) isFollowing.current = true;
    lastTop.current = box.scrollTop;
    setIsAway(!isFollowing.current && distanceFromEnd(box) > END_TOLERANCE_PX);
    if (box.scrollTop < OLDER_MARGIN_PX) onNearStart();
  }, [onNearStart]);

  return { scroller, isAway, toEnd, onScroll };
}

/** Tells the style sheet the height of the question at the top, which its answer's least height leaves free. */
function useReserve(scroller: RefObject<HTMLDivElement | null>, anchorId: string | null): void {
  useLayoutEffect(() => {
    const box = scroller.current;
    const question = anchorId === null ? null : box?.querySelector<HTMLElement>(`[data-message="${anchorId}"]`);
    box?.style.setProperty("--question", `${question?.offsetHeight ?? 0}px`);
  }, [scroller, anchorId]);
}

/** Keeps what is in view where it is when messages are added above it. */
function useKeptPlace(scroller: RefObject<HTMLDivElement | null>, firstId: string | undefined): void {
  const first = useRef<{ id: string; top: number } | null>(null);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || firstId === undefined) return;
    const earlier = first.current && first.current.id !== firstId ? topOf(box, first.current.id) : null;
    if (first.current && earlier !== null) {
      // The browser's own anchoring does nothing at the very top and would add to this elsewhere.
      box.style.setProperty("overflow-anchor", "none");
      box.scrollBy(0, earlier - first.current.top);
      requestAnimationFrame(() => box.style.removeProperty("overflow-anchor"));
    }
    first.current = { id: firstId, top: topOf(box, firstId) ?? 0 };
  }, [scroller, firstId]);
}
