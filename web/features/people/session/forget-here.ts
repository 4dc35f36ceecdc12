import { offlineStore } from "#web/lib/offline-store.ts";
import { dropRecordings } from "#web/lib/recording-store.ts";
import { setOwner } from "#web/lib/own-storage.ts";
import { forgetStored, setEphemeral } from "#web/lib/storage.ts";

/** Forgets whatever was typed, filled in, sent offline and read in this browser: whoever was here has left. */
export async function clearLocalData(): Promise<void> {
  // Else this page would write its drafts down once more as it goes.
  setOwner(null);
  await Promise.allSettled([dropRecordings(() => true), offlineStore.keepOnly(null), offlineStore.forgetShared()]);
  forgetStored();
}

/** Has nothing more shown by the system of whoever has left, though the server may not know yet that they have. */
export async function dismissNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Keeps nothing of whoever is here on this device from now on, or as long as it is needed again. */
export async function applyKeepsNothing(next: boolean): Promise<void> {
  setEphemeral(next);
  if (next) await Promise.allSettled([dropRecordings(() => true), offlineStore.keepOnly(null)]);
}
