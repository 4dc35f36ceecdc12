import { syncChat } from "#worker/people/owned-chats/owned-chats.ts";
import type { Env } from "#worker/platform/env.ts";
import { chatAccessOf } from "./access/members.ts";
import { readChat } from "./chat.ts";
import { hasFiles, reportStored } from "./messages/stored-files.ts";
import type { HubChat, Reconciled, ComparedChat } from "#worker/conversation/room/rpc.ts";
import { openDelivery } from "./send-report.ts";

/**
 * Reports to a reader's hub and the relational database how the chat stands where they have it differently. Where the hub is ahead, the room
 * was set back: it goes on above what the hub knows, or its reports would be dropped. Throws where one was not reached.
 */
export async function reconcileReader(env: Env, sql: SqlStorage, userId: string, { hubChat, copy }: ComparedChat): Promise<Reconciled> {
  const chat = readChat(sql);
  const isOwner = chat.owner_id === userId;
  const isKnown = hubChat.state === "listed" && hubChat.version === chat.version;
  const isReader = chatAccessOf(sql, userId) !== null;
  // A chat made for an upload that nobody knows of yet stays that way.
  const differs = isReader ? !isKnown && chat.version > 0 : hubChat.state === "listed";
  if (differs) {
    if (isReader && (hubChat.version > chat.version || hubChat.state === "lost")) {
      sql.exec("UPDATE chat SET version = ?", Math.max(hubChat.version, chat.version) + 1);
    }
    const version = Math.max(hubChat.version, readChat(sql).version);
    await openDelivery(env, sql, { version, updates: [] })({ kind: "hub", userId });
  }
  const hasOldCopy = isOwner && copy !== null && (copy.title !== chat.title || copy.public !== (chat.is_public === 1));
  if (hasOldCopy) await syncChat(env, chat);
  const isCounted = !isOwner || (await reconcileStored(env, sql, hubChat));
  const owned = isOwner ? { title: chat.title, public: chat.is_public === 1, created_at: chat.created_at } : null;
  return { isRepaired: differs || hasOldCopy || !isCounted, owned };
}

/** False where the hub counted other files than there are, and now counts these. */
async function reconcileStored(env: Env, sql: SqlStorage, { stored }: HubChat): Promise<boolean> {
  if (stored === null && !hasFiles(sql)) return true;
  const { bytes } = sql.exec<{ bytes: number }>("SELECT COALESCE(SUM(size), 0) AS bytes FROM attachments").one();
  if (stored?.bytes === bytes) return true;
  sql.exec("UPDATE chat SET stored_seq = MAX(stored_seq, ?) + 1", stored?.seq ?? 0);
  await reportStored(env, sql);
  return false;
}
