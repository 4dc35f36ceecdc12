import { startTransition, useEffect, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { isLanded, landings } from "./landing-store.ts";
import { opensAtEnd } from "./scroll-place.ts";

/** Windows that the first turns fill: one in view and some of the next. */
const FIRST_WINDOWS = 1.5;

/** Milliseconds after which the other turns come even if the page was never idle. */
const PATIENCE_MS = 500;

/** Turns above and below a message that was landed on, which are drawn before the others of a long path. */
const ABOVE = 12;
const BELOW = 24;

/** The turns to show: first those that will be in view, at the path's end or around where it was landed; the others when the page is idle. */
export function useShownPath(chatId: string, path: Message[]): { shown: Message[]; showsFullPath: boolean } {
  const [first] = useState(() => (opensAtEnd(chatId) ? countInView(path, FIRST_WINDOWS * innerHeight) : path.length));
  const [showsFullPath, setIsWhole] = useState(first === path.length);
  const landing = useKeyed(landings, chatId);
  const [spread, setSpread] = useState(landing !== null && isLanded(landing) ? landing : null);
  const around = landing?.isFetched && spread !== landing ? pathAround(path, landing.messageId) : null;
  const isAround = around !== null;
  useEffect(() => (isAround ? whenIdle(() => startTransition(() => setSpread(landing))) : undefined), [isAround, landing]);
  useEffect(() => (showsFullPath ? undefined : whenIdle(() => startTransition(() => setIsWhole(true)))), [showsFullPath]);
  if (around) return { shown: around, showsFullPath: false };
  return { shown: showsFullPath ? path : path.slice(-first), showsFullPath };
}

/** The path around a message; null for a path that is short enough to be drawn whole, or lacks it. */
function pathAround(path: Message[], messageId: string): Message[] | null {
  const at = path.findIndex(({ id }) => id === messageId);
  return at === -1 || path.length <= 2 * (ABOVE + BELOW) ? null : path.slice(Math.max(0, at - ABOVE), at + BELOW);
}

function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(run, 50);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(handle);
}

/** What a turn takes at the least, in px: its own room, and what a character of its text adds. */
const TURN_PX = 50;
const CHARACTER_PX = 0.25;

/** How many of the newest turns surely fill this many px. */
export function countInView(path: readonly Pick<Message, "content">[], height: number): number {
  let filled = 0;
  let count = 0;
  for (const { content } of path.toReversed()) {
    if (filled >= height) break;
    filled += TURN_PX + content.length * CHARACTER_PX;
    count += 1;
  }
  return count;
}
