import { createStore, useStore } from "#web/lib/store.ts";

const isOpen = createStore(false);

/** Opens or closes the list of shortcuts. */
export function setShortcutsOpen(open: boolean): void {
  isOpen.set(open);
}

/** Opens the list of shortcuts. */
export function openShortcuts(): void {
  setShortcutsOpen(true);
}

/** Whether the list of shortcuts is open. */
export function useShortcutsOpen(): boolean {
  return useStore(isOpen);
}
