import * as z from "zod/mini";
import { GUEST_UNUSED_MS } from "#shared/limits.ts";
import { purgeChatJob } from "../chats/delete-chat.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { enqueue, enqueueAll, job } from "../jobs/job.ts";
import { hubOf } from "../user-hub/stub.ts";
import { deleteGuestRow, findUser, listUnusedGuests } from "../users/users.ts";
import { listOwnChatIds, markChatsDeleted } from "./queries.ts";

/** Guests found in one query, and jobs in one batch (the queue takes 100 at most). */
const PAGE = 100;
/** Pages a night: the rest waits for the next one. */
const PAGES = 200;

/** Asks for the deletion of every guest that nobody used for 30 days. */
export async function enqueueGuestPurges(env: Env): Promise<void> {
  const db = openDatabase(env.DB);
  const cutoff = cutoffNow();
  let after: { last_seen_at: string; id: string } | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const guests = await listUnusedGuests(db, { cutoff, after, limit: PAGE });
    const purges = guests.map(({ id }) => ({ userId: id }));
    if (purges.length > 0) await enqueueAll(env, purgeGuestJob, purges);
    after = guests.at(-1) ?? null;
    if (guests.length < PAGE) return;
  }
}

/** Deletes a guest with its chats, unless it came back or signed in since. */
export const purgeGuestJob = job("guest.purge", z.object({ userId: z.string() }), async (env, { userId }) => {
  const db = openDatabase(env.DB);
  const user = await findUser(db, userId);
  if (!user?.anonymous || user.last_seen_at >= cutoffNow()) return;
  // Marked last: a repeat of this job finds its chats by their being unmarked.
  for (const chatId of await listOwnChatIds(db, userId)) await enqueue(env, purgeChatJob, { chatId, userIds: [] });
  await markChatsDeleted(db, userId, new Date().toISOString());
  await hubOf(env, userId).purge();
  await deleteGuestRow(db, userId);
});

function cutoffNow(): string {
  return new Date(Date.now() - GUEST_UNUSED_MS).toISOString();
}
