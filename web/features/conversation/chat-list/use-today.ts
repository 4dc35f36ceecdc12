import { useEffect, useState } from "react";

/** A moment of the current day; changes at midnight, so headings and times follow. */
export function useToday(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    const renew = () => {
      if (new Date().toDateString() !== now.toDateString()) setNow(new Date());
    };
    const timer = setTimeout(() => setNow(new Date()), midnight.getTime() - Date.now() + 1_000);
    // A sleeping computer's timers sleep too.
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, [now]);
  return now;
}
