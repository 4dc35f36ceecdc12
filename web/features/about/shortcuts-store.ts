import { useSyncExternalStore } from "react";

let isOpen = false;
const listeners = new Set<() => void>();

/** Opens or closes the list of shortcuts. */
export function setShortcutsOpen(open: boolean): void {
  if (open === isOpen) return;
  isOpen = open;
  for (const listener of listeners) listener();
}

/** Opens the list of shortcuts. */
export function openShortcuts(): void {
  setShortcutsOpen(true);
}

/** Whether the list of shortcuts is open. */
export function useShortcutsOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
