import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";

/**
 * Gives the focus on when what held it goes with an answer: a card that is decided leaves it to the row in its place.
 * `note` is told the id of a card that goes with the focus in it; rows carry theirs as `data-call`.
 */
export function useFocusHeir(list: RefObject<HTMLElement | null>): (id: string) => void {
  const left = useRef<string | null>(null);
  useLayoutEffect(() => {
    const id = left.current;
    if (id === null) return;
    left.current = null;
    list.current?.querySelector<HTMLElement>(`[data-call="${id}"] button`)?.focus({ preventScroll: true });
  });
  return useCallback((id: string) => {
    left.current = id;
  }, []);
}
