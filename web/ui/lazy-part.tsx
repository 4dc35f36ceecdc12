import { type ComponentType, type ReactNode, createElement, useEffect, useState } from "react";

/** What failed to come is asked for once more after so many milliseconds. */
const AGAIN_MS = 1_000;

/** A component whose code comes with its first use, and how to fetch it before. */
export type LazyPart<P> = { (props: P): ReactNode; preload: () => Promise<void> };

/**
 * Like `lazy`, but without a Suspense boundary: React holds back what replaces a fallback by up to 300 ms,
 * even when the code is there already, and that is felt in a menu. Drawn at once when preloaded;
 * without a network it waits for one, and what fails a second time with one reaches the pane's error boundary; the next use tries again.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, Fallback?: ComponentType<P>): LazyPart<P> {
  let part: ComponentType<P> | null = null;
  let pending: Promise<void> | null = null;

  const preload = () => {
    pending ??= load().then(
      (loaded) => {
        part = loaded;
      },
      (cause: unknown) => {
        pending = null;
        throw cause;
      },
    );
    return pending;
  };

  function Part(props: P): ReactNode {
    const [state, setState] = useState<{ failure: unknown } | "waiting" | "there">(part ? "there" : "waiting");
    useEffect(() => {
      const gone = new AbortController();
      let timer: ReturnType<typeof setTimeout>;
      let hasFailed = false;
      const fetchIt = () => {
        // Also when it came between the drawing and here: what was drawn then was the fallback.
        void preload().then(
          () => setState("there"),
          (failure: unknown) => {
            if (!navigator.onLine) window.addEventListener("online", fetchIt, { once: true, signal: gone.signal });
            else if (hasFailed) setState({ failure });
            else {
              // It may have been asked for while there was no network for a moment.
              hasFailed = true;
              if (!gone.signal.aborted) timer = setTimeout(fetchIt, AGAIN_MS);
            }
          },
        );
      };
      // Each in a task of its own: a page begins with several parts, and asking for one takes a slow device some milliseconds.
      timer = setTimeout(fetchIt);
      return () => {
        clearTimeout(timer);
        gone.abort();
      };
    }, []);
    if (typeof state === "object") throw state.failure;
    const shown = part ?? Fallback;
    return shown ? createElement(shown, props) : null;
  }
  return Object.assign(Part, { preload });
}
