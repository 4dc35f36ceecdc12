import type { Database } from "#worker/platform/db/client.ts";

const LEAVING = "SELECT 1 FROM chats c JOIN account_deletions d ON d.user_id = c.user_id WHERE c.id = ?";

/** True for a chat that goes with the account of whoever owns it. */
export async function isOwnerBeingDeleted(db: Database, chatId: string): Promise<boolean> {
  return (await db.$client.prepare(LEAVING).bind(chatId).first()) !== null;
}
