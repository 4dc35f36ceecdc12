/** What accounts leave in this browser goes with them. */
import { offlineStore } from "#web/features/offline/offline-store.ts";
import { outbox } from "#web/features/sending/outbox.ts";
import { dropRecordings } from "#web/features/voice/kept-recordings.ts";
import { forgetOwnOfOthers, setOwner } from "#web/lib/own-storage.ts";
import { forgetStored, setKeepsNothing, storedKeys, stored } from "#web/lib/storage.ts";
import * as shape from "#web/lib/shape.ts";

/** Forgets whatever was typed, filled in, sent offline and read in this browser: whoever was here has left. */
export async function forgetHere(): Promise<void> {
  // Else this page would write its drafts down once more as it goes.
  setOwner(null);
  await Promise.allSettled([dropRecordings(() => true), offlineStore.keepOnly(null), offlineStore.forgetShared()]);
  forgetStored();
}

/** Has nothing more shown by the system of whoever has left, though the server may not know yet that they have. */
export async function silenceHere(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Keeps nothing of whoever is here on this device from now on, or as long as it is needed again. */
export async function applyKeepsNothing(next: boolean): Promise<void> {
  setKeepsNothing(next);
  if (next) await Promise.allSettled([dropRecordings(() => true), offlineStore.keepOnly(null)]);
}

/** Forgets what other accounts left in this browser whose sessions ended without a word of theirs: one is here again, and not theirs. */
export async function forgetOthers(account: string): Promise<void> {
  forgetOwnOfOthers(account);
  for (const { id, ownerId } of outbox.all()) if (ownerId !== null && ownerId !== account) outbox.remove(id);
  for (const key of storedKeys("")) {
    const owner = /^(?:artifact-draft|prompt-values):([^:]+)/.exec(key)?.[1];
    if (owner !== undefined && owner !== account) stored(key, shape.text, "").remove();
  }
  await dropRecordings((owner) => owner !== account);
}
