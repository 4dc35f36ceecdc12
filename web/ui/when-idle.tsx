import { type ReactNode, useEffect, useState } from "react";

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
    // Safari has no idle callback.
    if (typeof requestIdleCallback !== "function") {
      const timer = setTimeout(show, 300);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(show, { timeout: 1_000 });
    return () => cancelIdleCallback(request);
  }, [isShown]);
  return isShown ? children : null;
}
