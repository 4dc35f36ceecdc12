import { createStore, useStore } from "#web/lib/store.ts";

const isOpen = createStore(false);

export function setShortcutsOpen(open: boolean): void {
  isOpen.set(open);
}

export function openShortcuts(): void {
  setShortcutsOpen(true);
}

export function useShortcutsOpen(): boolean {
  return useStore(isOpen);
}
