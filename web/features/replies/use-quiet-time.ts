import { useEffect, useState } from "react";

/** Milliseconds without news after which it is said that the model is still waited for. */
const QUIET_MS = 8_000;

/** Whole seconds since `news` last changed, once they are many while something is awaited; else null. */
export function useQuietTime(isAwaited: boolean, news: unknown): number | null {
  const [held, setHeld] = useState<{ news: unknown; seconds: number } | null>(null);
  useEffect(() => {
    if (!isAwaited) return undefined;
    const since = Date.now();
    const timer = setInterval(() => {
      const quiet = Date.now() - since;
      if (quiet >= QUIET_MS) setHeld({ news, seconds: Math.floor(quiet / 1_000) });
    }, 1_000);
    return () => clearInterval(timer);
  }, [isAwaited, news]);
  return isAwaited && held !== null && held.news === news ? held.seconds : null;
}
