import { useEffect } from "react";

/** A chat that does not come is waited for this long, in milliseconds. */
const PATIENCE_MS = 3_000;

let notify = (): void => undefined;

const shown = new Promise<void>((resolve) => {
  notify = resolve;
  // Only a chat has code and messages of its own to fetch, which the rest of the page must not hold up.
  if (typeof location === "undefined" || !location.pathname.startsWith("/c/")) resolve();
  else setTimeout(resolve, PATIENCE_MS);
});

/** Resolves when the page shows what its address asked for: then everything around it may load. */
export function firstScreen(): Promise<void> {
  return shown;
}

/** Says that the page shows what its address asked for, once the component is painted and the browser at rest. */
export function useFirstScreenShown(): void {
  useEffect(() => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(notify, { timeout: 1_000 });
    else setTimeout(notify, 50);
  }, []);
}
