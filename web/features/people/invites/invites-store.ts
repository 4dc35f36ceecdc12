import { createKeyedStore, useKeyed } from "#web/lib/keyed-store.ts";
import { closePickers } from "#web/ui/dialog/layers.ts";

const dialogs = createKeyedStore(false);
const ONE = "one";

/** Opens the person's invites over the page. */
export function openInvites(): void {
  // It would stand under one.
  closePickers();
  dialogs.set(ONE, true);
}

/** Closes them. */
export function closeInvites(): void {
  dialogs.set(ONE, false);
}

/** Whether they are open. */
export function useInvitesOpen(): boolean {
  return useKeyed(dialogs, ONE);
}
