import { outbox } from "#web/features/conversation/sending/outbox.ts";
import { forgetOwnOfOthers } from "#web/lib/own-storage.ts";
import { dropRecordings } from "#web/lib/recording-store.ts";
import * as z from "zod/mini";
import { stored, storedKeys } from "#web/lib/storage.ts";

/** Forgets what other accounts left in this browser whose sessions ended without a word of theirs: one is here again, and not theirs. */
export async function forgetOthers(account: string): Promise<void> {
  forgetOwnOfOthers(account);
  for (const { id, ownerId } of outbox.all()) if (ownerId !== null && ownerId !== account) outbox.remove(id);
  for (const key of storedKeys("")) {
    const owner = /^(?:artifact-draft|prompt-values):([^:]+)/.exec(key)?.[1];
    if (owner !== undefined && owner !== account) stored(key, z.string(), "").remove();
  }
  await dropRecordings((owner) => owner !== account);
}
