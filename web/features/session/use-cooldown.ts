import { useEffect, useState } from "react";

const COOLDOWN_S = 30;

/** Seconds until a code may be asked for again; counts down from the first render and from every `restart`. */
export function useCooldown(): { seconds: number; restart: () => void } {
  const [until, setUntil] = useState(() => Date.now() + COOLDOWN_S * 1_000);
  const [seconds, setSeconds] = useState(COOLDOWN_S);
  useEffect(() => {
    const tick = () => setSeconds(Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return { seconds, restart: () => setUntil(Date.now() + COOLDOWN_S * 1_000) };
}
