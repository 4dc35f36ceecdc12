import { type ReactNode, useEffect, useState } from "react";
import { firstScreen } from "#web/lib/first-screen.ts";
import { afterWords, isAwaited } from "#web/lib/first-words.ts";

let hasRested = false;

/** What can wait until the first screen stands: drawn as soon as the browser has nothing else to do and nobody waits for an answer, and at once from then on. `before` holds its room. */
export function WhenIdle({ children, before = null }: { children: ReactNode; before?: ReactNode }) {
  const [isShown, setIsShown] = useState(hasRested && !isAwaited());
  useEffect(() => {
    if (isShown) return undefined;
    let stop = () => {};
    let isGone = false;
    const show = () => {
      if (isGone) return;
      hasRested = true;
      setIsShown(true);
    };
    // What is idle while somebody waits for an answer is not at rest.
    const rest = () =>
      void afterWords().then(() => {
        if (!isGone) stop = whenIdle(() => (isAwaited() ? rest() : show()));
      });
    void firstScreen().then(rest);
    return () => {
      isGone = true;
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
