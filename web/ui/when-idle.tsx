import { type ReactNode, useEffect, useState } from "react";
import { firstScreen } from "#web/lib/first-screen.ts";
import { afterFirstText, isFirstTextAwaited } from "#web/lib/first-text.ts";

let hasRested = false;

/** What can wait until the first screen stands: drawn as soon as the browser has nothing else to do and nobody waits for an answer, and at once from then on. `before` holds its room. */
export function WhenIdle({ children, before = null }: { children: ReactNode; before?: ReactNode }) {
  const [isShown, setIsShown] = useState(hasRested && !isFirstTextAwaited());
  useEffect(() => {
    if (isShown) return undefined;
    let stop = () => {};
    let isUnmounted = false;
    const show = () => {
      if (isUnmounted) return;
      hasRested = true;
      setIsShown(true);
    };
    // What is idle while somebody waits for an answer is not at rest.
    const rest = () =>
      void afterFirstText().then(() => {
        if (!isUnmounted) stop = whenIdle(() => (isFirstTextAwaited() ? rest() : show()));
      });
    void firstScreen().then(rest);
    return () => {
      isUnmounted = true;
      stop();
    };
  }, [isShown]);
  return isShown ? children : before;
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
