import { useState } from "react";

/** True from the first time on that `isTrue` is: what is loaded with its first opening stays, to close in its own time. */
export function useEver(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}
