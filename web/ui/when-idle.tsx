import { type ReactNode, useEffect, useState } from "react";
import { firstScreen } from "#web/lib/first-screen.ts";

let hasRested = false;

/** What can wait until the first screen stands: drawn as soon as the browser has nothing else to do, and at once from then on. */
export function WhenIdle({ children }: { children: ReactNode }) {
  const [isShown, setIsShown] = useState(hasRested);
  useEffect(() => {
    if (isShown) return undefined;
    const show = () => {
      hasRested = true;
      setIsShown(true);
    };
    let stop = () => {};
    let isGone = false;
    void firstScreen().then(() => {
      if (!isGone) stop = whenIdle(show);
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [isShown]);
  return isShown ? children : null;
}

function whenIdle(show: () => void): () => void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(show, 300);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(show, { timeout: 1_000 });
  return () => cancelIdleCallback(request);
}
