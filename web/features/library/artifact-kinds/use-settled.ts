import { useEffect, useState } from "react";

/** Milliseconds without a key after which what is typed is shown again. */
const PAUSE_MS = 400;

/** A source that is being typed, once nobody has typed for a moment. */
export function useSettled(source: string): string {
  const [settled, setSettled] = useState(source);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(source), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [source]);
  return settled;
}
