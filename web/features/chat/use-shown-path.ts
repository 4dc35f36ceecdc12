import { startTransition, useEffect, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { opensAtEnd } from "./scroll-place.ts";
import { countInView } from "./turns-in-view.ts";

/** Windows that the first turns fill: one in view and some of the next. */
const FIRST_WINDOWS = 1.5;

/** Milliseconds after which the other turns come even if the page was never idle. */
const PATIENCE_MS = 500;

/** The turns to show: of a chat that opens at its end first those that will be in view, the others when the page is idle. */
export function useShownPath(chatId: string, path: Message[]): { shown: Message[]; isWhole: boolean } {
  const [first] = useState(() => (opensAtEnd(chatId) ? countInView(path, FIRST_WINDOWS * innerHeight) : path.length));
  const [isWhole, setIsWhole] = useState(first === path.length);
  useEffect(() => (isWhole ? undefined : whenIdle(() => startTransition(() => setIsWhole(true)))), [isWhole]);
  return { shown: isWhole ? path : path.slice(-first), isWhole };
}

function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(run, 50);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(handle);
}
