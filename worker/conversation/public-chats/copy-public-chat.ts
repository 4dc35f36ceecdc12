import { isOwnerBeingDeleted } from "./owner-deletion.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { findOwnChat, abandonChat, claimChat } from "#worker/people/owned-chats/owned-chats.ts";
import { forkTitle } from "#worker/conversation/chats/fork-chat.ts";
import { transferChat } from "#worker/conversation/chats/transfer-chat.ts";
import { renewIds } from "#worker/conversation/chats/renew-ids.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

/**
 * Makes a chat of the caller's own with a published one's words; answers its id. The same person's copy of the same state is the same
 * chat, however often it is asked for, unless they deleted it. Throws NOT_FOUND, PAYLOAD_TOO_LARGE, and STILL_RUNNING while the copy is being made.
 */
export async function copyPublicChat(env: Env, db: Database, { caller, chatId }: { caller: Caller; chatId: string }): Promise<string> {
  if (await isOwnerBeingDeleted(db, chatId)) throw new AppError("NOT_FOUND");
  const { copy, version } = unwrap<{ copy: ChatCopy; version: number }>(await roomOf(env, chatId).copyPublic());
  const named = await uuidOfName(`public copy ${chatId} ${caller.userId} ${version}`);
  const id = (await findOwnChat(db, { id: named, userId: caller.userId })) === "deleted" ? crypto.randomUUID() : named;
  const { chat, isNew } = await claimChat(db, { id, caller, title: forkTitle(copy.title), settings: copy.settings });
  try {
    await transferChat(env, { id, chat, copy: { ...renewIds(copy), title: chat.title } });
  } catch (cause) {
    // Where the same copy is being made by another request, what is there is that one's.
    if (isNew && !(cause instanceof AppError)) await abandonChat(env, db, id);
    throw cause;
  }
  return id;
}
