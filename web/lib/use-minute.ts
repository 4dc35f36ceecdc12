import { useEffect, useState } from "react";

/** The time, updated each minute while something depends on it. */
export function useMinute(isWanted: boolean): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, [isWanted]);
  return now;
}
