import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { clearCurrent, deleteAllWaiting } from "./queries.ts";

/** Forgets the conversation of an account whose number is no longer linked, and gives up what waits for it in its chats. */
export async function forgetConversation(env: Env, db: Database, userId: string): Promise<void> {
  await clearCurrent(db, userId);
  for (const chatId of await deleteAllWaiting(db, userId)) {
    try {
      await roomOf(env, chatId).messaging({ kind: "unlinked", userId });
    } catch (cause) {
      log.warn("what waited for an unlinked number waits on", { cause });
    }
  }
}
