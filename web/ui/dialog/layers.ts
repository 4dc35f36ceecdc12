import { useEffect, useEffectEvent } from "react";

/** What closes each open picker. */
const pickers = new Set<() => void>();
let covers = 0;

/** Counts a layer among the pickers while it is open: whatever covers the page closes it. */
export function usePickerLayer(isOpen: boolean, close: () => void): void {
  const onCovered = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closer = () => onCovered();
    pickers.add(closer);
    return () => void pickers.delete(closer);
  }, [isOpen]);
}

/** Closes every open picker, before something else opens over it or beside it. */
export function closePickers(): void {
  for (const close of pickers) close();
}

/** Counts a layer among those that cover the page while it is open: no picker opens under it. */
export function useCover(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    covers += 1;
    return () => {
      covers -= 1;
    };
  }, [isOpen]);
}

/** True while something covers the page. */
export function isCovered(): boolean {
  return covers > 0;
}
