import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useKeptDisclosure } from "./use-kept-disclosure.ts";
import { distanceFromEnd, END_TOLERANCE_PX, isAtEnd, rememberPlace, restorePlace, topOf } from "./scroll-place.ts";

/** How near the start, in px, older messages are fetched. */
const OLDER_MARGIN_PX = 800;

const anchorsItself = typeof CSS !== "undefined" && CSS.supports("overflow-anchor", "auto");

/** How long after a wheel, a touch or a key a movement counts as theirs, in milliseconds. */
const HAND_MS = 400;

/** How long after a transcript was laid out its turns may still find their real heights, in milliseconds. */
const SETTLING_MS = 600;

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
  const standing = useRef<Standing>({ top: 0, height: 0 });
  const isByHand = useHandDetection(scroller);
  const settledAt = useRef<number | null>(null);
  const [isAway, setIsAway] = useState(false);

  const note = useCallback((box: HTMLElement, following: boolean) => {
    standing.current = { top: box.scrollTop, height: box.scrollHeight };
    isFollowing.current = following;
    // While the end is followed, the browser's own anchoring would pull the other way.
    const anchor = following ? "none" : "auto";
    if (box.style.getPropertyValue("overflow-anchor") !== anchor) box.style.setProperty("overflow-anchor", anchor);
    setIsAway(!following && distanceFromEnd(box) > END_TOLERANCE_PX);
  }, []);

  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    box.scrollTop = box.scrollHeight;
    note(box, true);
  }, [note]);

  /** Goes to where the chat's place was just set, and stays there while turns find their real heights. */
  const toPlace = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    settledAt.current = performance.now() + SETTLING_MS;
    restorePlace(chatId, box);
    note(box, false);
  }, [chatId, note]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    restorePlace(chatId, box);
    note(box, isAtEnd(box));
    return () => rememberPlace(chatId, box);
  }, [chatId, note]);

  const keepDisclosure = useKeptDisclosure(
    scroller,
    useCallback((box: HTMLElement) => note(box, false), [note]),
  );

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
    settledAt.current = null;
    const onResize = new ResizeObserver(() => {
      settledAt.current ??= performance.now() + SETTLING_MS;
      if (keepDisclosure(box)) return note(box, isAtEnd(box));
      if (isFollowing.current) return toEnd();
      if (isByHand()) settledAt.current = 0;
      if (performance.now() < settledAt.current) restorePlace(chatId, box);
      note(box, false);
    });
    onResize.observe(content);
    onResize.observe(box);
    return () => onResize.disconnect();
  }, [chatId, toEnd, note, isByHand, keepDisclosure]);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const now = { top: box.scrollTop, height: box.scrollHeight };
    // Content that shrinks moves the place up too, but leaves it at the very end.
    const isReleased = distanceFromEnd(box) > 1 && isUpwardScroll(standing.current, now, { isByHand: isByHand() });
    const isBack = now.top > standing.current.top && isAtEnd(box);
    note(box, isReleased ? false : isBack || isFollowing.current);
    if (now.top < OLDER_MARGIN_PX) onNearStart();
  }, [note, isByHand, onNearStart]);

  return { scroller, isAway, toEnd, toPlace, onScroll };
}

/** Returns whether the last movement was a wheel's, a finger's, a key's or a scroll bar's. */
function useHandDetection(scroller: RefObject<HTMLDivElement | null>): () => boolean {
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const onHand = () => {
      touchedAt.current = performance.now();
    };
    const signs = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    for (const sign of signs) box.addEventListener(sign, onHand, { passive: true });
    return () => {
      for (const sign of signs) box.removeEventListener(sign, onHand);
    };
  }, [scroller]);
  return useCallback(() => performance.now() - touchedAt.current < HAND_MS, []);
}

/** Gives the style sheet the height of the question at the top, which its answer's least height leaves free. */
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
    // Where the browser anchors the view by itself, doing it here too would move it twice.
    const isAnchored = anchorsItself && box.scrollTop > 0;
    if (first.current && earlier !== null && !isAnchored) box.scrollBy(0, earlier - first.current.top);
    first.current = { id: firstId, top: topOf(box, firstId) ?? 0 };
  }, [scroller, firstId]);
}

/** Where a scroller stood: its offset and the height of its content, in px. */
type Standing = { top: number; height: number };

/** True when someone scrolled up: further than the content's own change of height could have moved the view. */
export function isUpwardScroll(before: Standing, now: Standing, { isByHand }: { isByHand: boolean }): boolean {
  const moved = before.top - now.top;
  if (moved <= 0) return false;
  return isByHand || moved > Math.abs(now.height - before.height) + 1;
}
