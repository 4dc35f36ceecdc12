/** Which messages of the app belong to which chat, and what waits for whom. */
import type { Database } from "#worker/platform/db/client.ts";
import { deleteMessages, deleteWaiting, insertMessages, insertWaiting, selectMessage, updateMessage } from "./queries.ts";

/** How long it is known which chat a message of the app belongs to, in milliseconds. */
const MESSAGE_RETENTION_MS = 90 * 24 * 3_600_000;

type Place = { userId: string; chatId: string };

/** Notes a message of ours, so an answer to it finds its chat. */
export async function noteSent(db: Database, { id, userId, chatId }: Place & { id: string }): Promise<void> {
  const at = Date.now();
  const row = { id, user_id: userId, chat_id: chatId, state: "sent" as const, sent_at: at, created_at: new Date(at).toISOString() };
  await insertMessages(db, [row]);
}

/** Notes that something of a chat waits until its person writes again. */
export async function noteWaiting(db: Database, { userId, chatId }: Place): Promise<void> {
  await insertWaiting(db, { user_id: userId, chat_id: chatId });
}

/** Notes that nothing of a chat waits for its person. */
export async function noteNothingWaiting(db: Database, { userId, chatId }: Place): Promise<void> {
  await deleteWaiting(db, userId, chatId);
}

/** The chat that a message belongs to which somebody answers; null for one that is not known. */
export async function chatOfMessage(db: Database, userId: string, id: string): Promise<string | null> {
  return (await selectMessage(db, userId, id))?.chat_id ?? null;
}

/** Notes that a message is in its chat, or needs none. */
export async function settleMessage(db: Database, id: string, chatId: string | null): Promise<void> {
  await updateMessage(db, id, { state: "done", message: null, notice: null, chat_id: chatId });
}

/** Notes a message that is not to be taken, should it come yet. */
export async function noteRejected(db: Database, userId: string, id: string): Promise<void> {
  const at = Date.now();
  await insertMessages(db, [{ id, user_id: userId, state: "done", sent_at: at, created_at: new Date(at).toISOString() }]);
}

/** Forgets to which chats a batch of the old messages belongs: an answer to one goes on in the conversation's own. True where there may be more. */
export function forgetOldMessages(db: Database): Promise<boolean> {
  return deleteMessages(db, new Date(Date.now() - MESSAGE_RETENTION_MS).toISOString());
}
