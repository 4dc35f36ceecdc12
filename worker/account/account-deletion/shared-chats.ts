import { eraseChat } from "#worker/conversation/chats/delete-chat.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { selectSharedChats } from "./queries.ts";

/** Chats of one part: each takes a handful of the 1,000 requests that a message may make. */
const CHATS = 20;

/** Deletes some of the chats that others read, which go before all else; true while there are more. One that fails is marked as deleted, and comes again with all chats. */
export async function eraseSharedChats(env: Env, db: Database, userId: string): Promise<boolean> {
  const ids = await selectSharedChats(db, userId, CHATS);
  const erased = await Promise.allSettled(ids.map((chatId) => eraseChat(env, db, { ownerId: userId, chatId })));
  for (const one of erased) if (one.status === "rejected") log.error("a shared chat was not deleted at once", { cause: one.reason });
  return ids.length === CHATS;
}
