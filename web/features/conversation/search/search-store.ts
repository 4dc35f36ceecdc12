import { createStore, useStore } from "#web/lib/store.ts";
import { closePickers } from "#web/ui/dialog/layers.ts";

const isOpen = createStore(false);

/** Opens the search palette: for whatever button or key asks for it. */
export function openSearch(): void {
  // It would stand under one.
  closePickers();
  isOpen.set(true);
}

/** Closes the search palette. */
export function closeSearch(): void {
  isOpen.set(false);
}

/** Whether the search palette is open. */
export function useSearchOpen(): boolean {
  return useStore(isOpen);
}
