import { PURGE_CHAT, type Purge } from "#worker/people/room/room.ts";
import { deleteFolder, attachmentFolder } from "#worker/library/attachments/attachment-keys.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { enqueueAll, jobOfKind } from "#worker/platform/jobs/job.ts";
import { mailsFolder } from "#worker/mail/chat-address/room-mail.ts";
import { forgetShares } from "#worker/conversation/sharing/access.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { findChatRow, markChatDeleted } from "#worker/people/owned-chats/owned-chats.ts";

/** Ids in one job: a message of the queue holds 128 KB. */
const READERS_A_JOB = 2_000;
const HUBS_AT_ONCE = 50;
/** The job comes this much later, in seconds, so it finds what was on its way to the chat as it was deleted. */
const SWEEP_SECONDS = 30;

/** Deletes the caller's chat: the row becomes a tombstone, lists forget it, streams end and the room is emptied; the job makes sure of it. */
export async function deleteChat(
  env: Env,
  db: Database,
  { caller, chatId }: { caller: Pick<Caller, "userId">; chatId: string },
): Promise<void> {
  const wasLive = await markChatDeleted(db, caller.userId, chatId);
  const readerIds = await roomOf(env, chatId).readerIds();
  if (!wasLive && (await findChatRow(db, chatId))?.user_id !== caller.userId) {
    throw new AppError(readerIds.includes(caller.userId) ? "FORBIDDEN" : "NOT_FOUND");
  }
  const userIds = [...new Set([caller.userId, ...readerIds])];
  const purges = chunk(userIds, READERS_A_JOB).map((part) => ({ chatId, userIds: part }));
  await enqueueAll(env, purgeChatJob, purges, { delaySeconds: SWEEP_SECONDS });
  for (const purge of purges) await purgeChat(env, purge);
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** Empties a deleted chat's room, deletes its files and takes it off the lists of `userIds` and whoever else reaches it by now; of none where there are none. May run more than once. */
export async function purgeChat(env: Env, { chatId, userIds, why }: Purge): Promise<void> {
  async function forget(those: readonly string[]): Promise<void> {
    for (const part of chunk(those, HUBS_AT_ONCE))
      await Promise.all(part.map((userId) => hubOf(env, userId).remove(chatId, undefined, why)));
  }

  // A room whose charges reached no ledger keeps them: the lists forget the chat all the same, and the job comes again.
  const purging = Promise.allSettled([roomOf(env, chatId).purge()]);
  // Nor do they wait for what a reply under way has cost.
  await forget(userIds);
  const [purged] = await purging;
  const readerIds = purged.status === "fulfilled" ? purged.value : [];
  // Without any, it was a guest's, whose list is gone with its account.
  if (userIds.length > 0) await forget(readerIds.filter((id) => !userIds.includes(id)));
  await forgetShares(env, chatId);
  await deleteFolder(env.FILES, attachmentFolder(chatId));
  await deleteFolder(env.FILES, mailsFolder(chatId));
  if (purged.status === "rejected") throw purged.reason;
}

/** Deletes a chat along with its owner's account: its readers learn why. May run more than once. */
export async function eraseChat(env: Env, db: Database, { ownerId, chatId }: { ownerId: string; chatId: string }): Promise<void> {
  await markChatDeleted(db, ownerId, chatId);
  // The owner's own list is notified before it is emptied, never after.
  const readerIds = (await roomOf(env, chatId).readerIds()).filter((id) => id !== ownerId);
  const purges = chunk(readerIds, READERS_A_JOB).map((userIds) => ({ chatId, userIds, why: "account" as const }));
  const all = purges.length > 0 ? purges : [{ chatId, userIds: [] }];
  await enqueueAll(env, purgeChatJob, all, { delaySeconds: SWEEP_SECONDS });
  for (const purge of all) await purgeChat(env, purge);
}

/** Empties a deleted chat once more, of what was on its way to it. */
export const purgeChatJob = jobOfKind(PURGE_CHAT, purgeChat);
