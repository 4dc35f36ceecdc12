import { deleteFolder, folderOf } from "../attachments/attachment-keys.ts";
import { roomOf } from "../chat-room/stub.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { AppError } from "../http/app-error.ts";
import { hubOf } from "../user-hub/stub.ts";
import { deleteClaim, findChatRow, markChatDeleted } from "./queries.ts";

/** Deletes the caller's chat: the row becomes a tombstone, lists forget it, streams end and the room is emptied; the job makes sure of it. */
export async function deleteChat(env: Env, db: Database, { caller, chatId }: { caller: Pick<Caller, "userId">; chatId: string }): Promise<void> {
  const wasLive = await markChatDeleted(db, caller.userId, chatId);
  if (!wasLive && (await findChatRow(db, chatId))?.user_id !== caller.userId) throw new AppError("NOT_FOUND");
  const purge = { chatId, userIds: [caller.userId] };
  await env.JOBS.send({ kind: "chat.purge", ...purge });
  await purgeChat(env, purge);
}

/** Empties a deleted chat's room, deletes its files and takes it off the lists; may run more than once. */
export async function purgeChat(env: Env, { chatId, userIds }: { chatId: string; userIds: string[] }): Promise<void> {
  await Promise.all(userIds.map((userId) => hubOf(env, userId).remove(chatId)));
  await roomOf(env, chatId).purge();
  await deleteFolder(env.FILES, folderOf(chatId));
}

/** Takes back a chat that was made for an upload and that nothing became of: its id is free again. */
export async function abandonChat(env: Env, db: Database, chatId: string): Promise<void> {
  await roomOf(env, chatId).purge();
  await deleteClaim(db, chatId);
}
