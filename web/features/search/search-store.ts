import { useSyncExternalStore } from "react";
import { closePickers } from "#web/ui/dialog/layers.ts";

let isOpen = false;
const listeners = new Set<() => void>();

function set(open: boolean): void {
  if (open === isOpen) return;
  isOpen = open;
  for (const listener of listeners) listener();
}

/** Opens the search palette: for whatever button or key asks for it. */
export function openSearch(): void {
  // It would stand under one.
  closePickers();
  set(true);
}

/** Closes the search palette. */
export function closeSearch(): void {
  set(false);
}

/** Whether the search palette is open. */
export function useSearchOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
