import * as z from "zod/mini";
import { GUEST_UNUSED_MS } from "#shared/limits.ts";
import { PURGE_CHAT } from "#worker/people/room/room.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, enqueueAll, job } from "#worker/platform/jobs/job.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { deleteGuestRow, findUser, listUnusedGuests } from "#worker/people/users/users.ts";
import { listOwnChatIds, markChatsDeleted } from "./queries.ts";

/** Guests found in one query, and jobs in one batch (the queue takes 100 at most). */
const PAGE = 100;

/** Where a walk through people in the order of their being seen goes on. */
const Place = z.object({ last_seen_at: z.string(), id: z.string() });

/** Asks for the deletion of a page of the guests that nobody used for 30 days; answers where to go on, null at their end. */
export async function enqueueGuestPurges(env: Env, after: string): Promise<string | null> {
  const db = openDatabase(env.DB);
  const from = after === "" ? null : Place.parse(JSON.parse(after));
  const guests = await listUnusedGuests(db, { cutoff: cutoffNow(), after: from, limit: PAGE });
  const purges = guests.map(({ id }) => ({ userId: id }));
  if (purges.length > 0) await enqueueAll(env, purgeGuestJob, purges);
  return guests.length < PAGE ? null : JSON.stringify(guests.at(-1));
}

/** Deletes a guest with its chats, unless it came back or signed in since. */
export const purgeGuestJob = job("guest.purge", z.object({ userId: z.string() }), purgeGuest, "BULK");

async function purgeGuest(env: Env, { userId }: { userId: string }): Promise<void> {
  const db = openDatabase(env.DB);
  const user = await findUser(db, userId);
  if (!user?.anonymous || user.last_seen_at >= cutoffNow()) return;
  // Marked last: a repeat of this job finds its chats by their being unmarked.
  for (const chatId of await listOwnChatIds(db, userId)) await enqueue(env, PURGE_CHAT, { chatId, userIds: [] });
  await markChatsDeleted(db, userId, new Date().toISOString());
  await hubOf(env, userId).purge();
  await deleteGuestRow(db, userId);
}

function cutoffNow(): string {
  return new Date(Date.now() - GUEST_UNUSED_MS).toISOString();
}
