import { createStore, useStore } from "#web/lib/store.ts";
import { closePickers } from "#web/ui/dialog/layers.ts";

/** Of the dialog: whoever opens it from a dialog of its own keeps this itself. */
export type PersonasDialogState = { open: boolean; onOpenChange: (open: boolean) => void };

const isOpen = createStore(false);

/** Opens 'Manage Personas' over the page. */
export function openPersonas(): void {
  // It would stand under one.
  closePickers();
  isOpen.set(true);
}

/** Closes it. */
export function closePersonas(): void {
  isOpen.set(false);
}

/** Whether it is open. */
export function usePersonasOpen(): boolean {
  return useStore(isOpen);
}
