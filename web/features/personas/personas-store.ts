import { useSyncExternalStore } from "react";
import { closePickers } from "#web/ui/dialog/layers.ts";

/** Of the dialog: whoever opens it from a dialog of its own keeps this itself. */
export type PersonasDialogState = { open: boolean; onOpenChange: (open: boolean) => void };

let isOpen = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (isOpen === next) return;
  isOpen = next;
  for (const listener of listeners) listener();
}

/** Opens 'Manage Personas' over the page. */
export function openPersonas(): void {
  // It would stand under one.
  closePickers();
  set(true);
}

/** Closes it. */
export function closePersonas(): void {
  set(false);
}

/** Whether it is open. */
export function usePersonasOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
