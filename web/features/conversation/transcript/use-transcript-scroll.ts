import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { distanceFromEnd, END_TOLERANCE_PX, isAtEnd, rememberPlace, restorePlace, topOf } from "./scroll-place.ts";

/** How near the start, in px, older messages are fetched. */
const OLDER_MARGIN_PX = 800;

const anchorsItself = typeof CSS !== "undefined" && CSS.supports("overflow-anchor", "auto");

/** How long after a wheel, a touch or a key a movement counts as theirs, in milliseconds. */
const MANUAL_SCROLL_MS = 400;

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
  const lastScroll = useRef<ScrollState>({ top: 0, height: 0, view: 0 });
  const manualScroll = useManualScroll(scroller);
  const settledAt = useRef<number | null>(null);
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [isAway, setIsAway] = useState(false);

  const note = useCallback((box: HTMLElement, following: boolean) => {
    lastScroll.current = scrollStateOf(box);
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

  /** Keeps to the end, unless somebody has just left it or writes in the transcript. */
  const follow = useCallback(
    (box: HTMLElement, { isScroll }: { isScroll: boolean }) => {
      if (hasFocusedField(box)) return note(box, false);
      const isLeft = leavesEnd(lastScroll.current, scrollStateOf(box), { isByHand: manualScroll.movesUp(), isScroll });
      clearTimeout(later.current);
      if (isLeft || distanceFromEnd(box) <= 1) return note(box, !isLeft);
      if (isScroll || !manualScroll.hasJustMoved()) return toEnd();
      // A key moves it over some frames, which a jump to the end in between would break off.
      later.current = setTimeout(() => isFollowing.current && toEnd(), MANUAL_SCROLL_MS);
      return undefined;
    },
    [manualScroll, note, toEnd],
  );
  useEffect(() => () => clearTimeout(later.current), []);

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

  const keepDisclosure = useDisclosureAnchor(
    scroller,
    useCallback((box: HTMLElement) => note(box, false), [note]),
  );

  useReserve(scroller, anchorId);
  const scrolledTo = useRef(anchorId);
  useLayoutEffect(() => {
    if (anchorId !== scrolledTo.current && anchorId !== null) toEnd();
    scrolledTo.current = anchorId;
  }, [anchorId, toEnd]);

  useScrollAnchor(scroller, firstId);

  useEffect(() => {
    const box = scroller.current;
    const content = box?.firstElementChild;
    if (!box || !content) return undefined;
    settledAt.current = null;
    const onResize = new ResizeObserver(() => {
      settledAt.current ??= performance.now() + SETTLING_MS;
      if (keepDisclosure(box)) return note(box, isAtEnd(box));
      if (isFollowing.current) return follow(box, { isScroll: false });
      if (manualScroll.moves() || hasFocusedField(box)) settledAt.current = 0;
      if (performance.now() < settledAt.current) restorePlace(chatId, box);
      note(box, false);
    });
    onResize.observe(content);
    onResize.observe(box);
    // At once, as what shrinks and grows again by the next frame takes the place along, and no size tells of it.
    const onChange = new MutationObserver(() => {
      if (isFollowing.current && !keepDisclosure(box)) follow(box, { isScroll: false });
    });
    onChange.observe(content, { childList: true, characterData: true, subtree: true });
    return () => {
      onResize.disconnect();
      onChange.disconnect();
    };
  }, [chatId, follow, note, manualScroll, keepDisclosure]);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    if (isFollowing.current) follow(box, { isScroll: true });
    else note(box, box.scrollTop > lastScroll.current.top && isAtEnd(box));
    if (box.scrollTop < OLDER_MARGIN_PX) onNearStart();
  }, [follow, note, onNearStart]);

  return { scroller, isAway, toEnd, toPlace, onScroll };
}

/** Whether a person moves the transcript just now: by wheel, finger, key, pointer or scroll bar. */
type ManualScroll = { moves: () => boolean; movesUp: () => boolean; hasJustMoved: () => boolean };

function useManualScroll(scroller: RefObject<HTMLDivElement | null>): ManualScroll {
  const [manualScroll] = useState(() => {
    const last = { move: Number.NEGATIVE_INFINITY, up: Number.NEGATIVE_INFINITY, isBarDragged: false, isSearching: false };
    const isNow = (at: number) => last.isBarDragged || last.isSearching || performance.now() - at < MANUAL_SCROLL_MS;
    return {
      last,
      moves: () => isNow(last.move),
      movesUp: () => isNow(last.up),
      hasJustMoved: () => performance.now() - last.up < MANUAL_SCROLL_MS,
    };
  });
  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const { last } = manualScroll;
    const move = (isUp = true) => {
      last.move = performance.now();
      if (isUp) last.up = last.move;
    };
    const until = new AbortController();
    const options = { passive: true, signal: until.signal };
    box.addEventListener("wheel", ({ deltaY }) => move(deltaY < 0), options);
    box.addEventListener("touchmove", () => move(), options);
    // To a footnote.
    box.addEventListener("click", ({ target }) => isWithin(target, "a") && move(), options);
    document.addEventListener(
      "keydown",
      ({ key, target, ctrlKey, metaKey }) => {
        // The keys of whoever writes move no transcript; the one that goes on to the next control may.
        if (key === "Tab" || !isWithin(target, FIELDS)) move();
        // The browser's search in the page, which takes the keys after these and moves it unheard.
        last.isSearching = key === "F3" || ((ctrlKey || metaKey) && /^[fg]$/i.test(key));
      },
      options,
    );
    addEventListener("focus", () => (last.isSearching = false), options);
    box.addEventListener(
      "pointerdown",
      ({ target, clientX }) => {
        const edge = box.getBoundingClientRect().left + box.clientLeft;
        last.isBarDragged = target === box && (clientX < edge || clientX >= edge + box.clientWidth);
      },
      options,
    );
    // Text is selected up to above the window.
    box.addEventListener("pointermove", ({ buttons }) => buttons !== 0 && move(), options);
    // Not every browser tells of the end of a scroll bar's drag.
    for (const sign of ["pointerup", "pointercancel", "pointermove"] as const) {
      addEventListener(sign, ({ buttons }) => (last.isBarDragged &&= buttons !== 0), options);
    }
    return () => until.abort();
  }, [scroller, manualScroll]);
  return manualScroll;
}

const FIELDS = "input, textarea, [contenteditable]";

function isWithin(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** Whether somebody writes in the transcript itself. */
function hasFocusedField(box: HTMLElement): boolean {
  return box.contains(document.activeElement) && isWithin(document.activeElement, FIELDS);
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
function useScrollAnchor(scroller: RefObject<HTMLDivElement | null>, firstId: string | undefined): void {
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

/** Where a scroller stands: its offset, and the heights of its content and of itself, in px. */
type ScrollState = { top: number; height: number; view: number };

function scrollStateOf({ scrollTop: top, scrollHeight: height, clientHeight: view }: HTMLElement): ScrollState {
  return { top, height, view };
}

/**
 * True when what stood at its end was moved away from it by somebody. Content that shrinks and grows, and a window that does, move it up
 * as well; where neither did, a search in the page or a reading aid has.
 */
export function leavesEnd(
  before: ScrollState,
  now: ScrollState,
  { isByHand, isScroll }: { isByHand: boolean; isScroll: boolean },
): boolean {
  if (now.top >= before.top || now.height - now.view - now.top <= 1) return false;
  return isByHand || (isScroll && now.height === before.height && now.view === before.view);
}

/** How long what a press unfolds may still find its height, in milliseconds: its code may come with the first use. */
const UNFOLDING_MS = 600;

/** What folds a part of the page; what opens a menu or dialog changes nothing in it. */
const DISCLOSURES = "[aria-expanded]:not([aria-haspopup]), summary";

type Anchor = { element: Element; top: number; until: number };

/** Keeps a disclosure in the transcript where it was pressed; answers whether it just did. `onPress` comes before anything moves. */
function useDisclosureAnchor(scroller: RefObject<HTMLElement | null>, onPress: (box: HTMLElement) => void): (box: HTMLElement) => boolean {
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
