import { isLeaving } from "../account-deletion/leaving.ts";
import { roomOf } from "../chat-room/stub.ts";
import { findOwnChat } from "../chats/chats.ts";
import { abandonChat } from "../chats/delete-chat.ts";
import { forkTitle } from "../chats/fork-chat.ts";
import { transferChat } from "../chats/transfer-chat.ts";
import { renewIds } from "../chats/renew-ids.ts";
import { claimChat } from "../chats/send-message.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { AppError, unwrap } from "../app-error.ts";
import { namedId } from "../named-id.ts";
import type { ChatCopy } from "../chat-room/rpc.ts";

/**
 * Makes a chat of the caller's own with a published one's words; answers its id. The same person's copy of the same state is the same
 * chat, however often it is asked for, unless they deleted it. Throws NOT_FOUND, PAYLOAD_TOO_LARGE, and STILL_RUNNING while the copy is being made.
 */
export async function copyPublicChat(env: Env, db: Database, { caller, chatId }: { caller: Caller; chatId: string }): Promise<string> {
  if (await isLeaving(db, chatId)) throw new AppError("NOT_FOUND");
  const { copy, version } = unwrap<{ copy: ChatCopy; version: number }>(await roomOf(env, chatId).copyPublic());
  const named = await namedId(`public copy ${chatId} ${caller.userId} ${version}`);
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
