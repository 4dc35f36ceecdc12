import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** A message to land on; `arrival` distinguishes one navigation from the next, `isFetched` whether its part of the path came for it. */
export type Landing = { messageId: string; arrival: string; isFetched: boolean };

/** The last landing of each chat. */
export const landings = createKeyedStore<Landing | null>(null);

const landed = new WeakSet<Landing>();

/** Takes a landing up, once: a chat that is opened again stands where it was left. */
export function takeLanding(landing: Landing): boolean {
  const isNew = !landed.has(landing);
  landed.add(landing);
  return isNew;
}

/** Whether a landing is over. */
export function isLanded(landing: Landing): boolean {
  return landed.has(landing);
}
