import { createStore, useStore } from "#web/lib/store.ts";
import { closePickers } from "#web/ui/dialog/layers.ts";

const isOpen = createStore(false);

/** Opens the person's invites over the page. */
export function openInvites(): void {
  // It would stand under one.
  closePickers();
  isOpen.set(true);
}

/** Closes them. */
export function closeInvites(): void {
  isOpen.set(false);
}

/** Whether they are open. */
export function useInvitesOpen(): boolean {
  return useStore(isOpen);
}
