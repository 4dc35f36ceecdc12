import * as z from "zod/mini";
import { roomOf } from "#worker/people/room/room.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { deleteGuestRow, getUserRow } from "#worker/people/users/users.ts";
import { deleteUsageDays, listOwnChatIds, moveChat } from "./queries.ts";

/** Rooms asked at once; a Worker has six connections. */
const ROOMS_AT_ONCE = 6;

/** Ledger entries moved at once. */
const ENTRIES_AT_ONCE = 500;

const Merge = z.object({ guestId: z.string(), accountId: z.string() });
type Merge = z.infer<typeof Merge>;

/** Brings a guest's chats along as it signs in: at once, or by a job where a room cannot be reached just now. */
export async function mergeOrQueueGuest(env: Env, merge: Merge): Promise<void> {
  try {
    await mergeGuest(env, merge);
  } catch (cause) {
    // Nobody is kept from signing in by a room; the job goes on where this stopped.
    log.error("a guest's chats did not all move at once", { ...merge, cause });
    await enqueue(env, mergeGuestJob, merge);
  }
}

/**
 * Moves what a guest has to the account it signed in to, its name on its messages too.
 * Where the guest itself became the account, only the name changes. Run again, it goes on where it stopped.
 */
export async function mergeGuest(env: Env, { guestId, accountId }: Merge): Promise<void> {
  const db = openDatabase(env.DB);
  const { display_name } = await getUserRow(db, accountId);
  const to = { userId: accountId, displayName: display_name };
  const chatIds = await listOwnChatIds(db, guestId);
  for (let next = 0; next < chatIds.length; next += ROOMS_AT_ONCE) {
    const batch = chatIds.slice(next, next + ROOMS_AT_ONCE);
    await Promise.all(
      batch.map(async (chatId) => {
        const marks = await hubOf(env, guestId).find(chatId);
        await roomOf(env, chatId).transfer(guestId, to);
        if (marks) await hubOf(env, accountId).mark(chatId, { isPinned: marks.isPinned, isRead: marks.isRead, archived: marks.archived });
        await moveChat(db, chatId, { from: guestId, to: accountId });
      }),
    );
  }
  if (guestId === accountId) return;
  await moveLedger(env, { guestId, accountId });
  await hubOf(env, guestId).purge();
  // The account's days have them from now on.
  await deleteUsageDays(db, guestId);
  await deleteGuestRow(db, guestId);
}

/** Goes on with a merge that did not come to its end at once. */
export const mergeGuestJob = job("guest.merge", Merge, mergeGuest);

async function moveLedger(env: Env, { guestId, accountId }: Merge): Promise<void> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const entries = await hubOf(env, guestId).ledger({ before, limit: ENTRIES_AT_ONCE });
    await hubOf(env, accountId).takeOverLedger(entries);
    if (entries.length < ENTRIES_AT_ONCE) return;
    before = entries.at(-1)?.seq ?? 0;
  }
}
