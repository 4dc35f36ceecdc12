import { syncChat } from "../chats/chats.ts";
import type { Env } from "../env.ts";
import { standingOf } from "./access/members.ts";
import { readChat } from "./chat.ts";
import { hasFiles, reportStored } from "./messages/stored-files.ts";
import type { HeldChat, Reconciled, SeenChat } from "./rpc.ts";
import { openDelivery } from "./send-report.ts";

/**
 * Reports to a reader's hub and the relational database how the chat stands where they have it differently. Where the hub is ahead, the room
 * was set back: it goes on above what the hub knows, or its reports would be dropped. Throws where one was not reached.
 */
export async function reconcileReader(env: Env, sql: SqlStorage, userId: string, { held, copy }: SeenChat): Promise<Reconciled> {
  const chat = readChat(sql);
  const isOwner = chat.owner_id === userId;
  const isKnown = held.state === "listed" && held.version === chat.version;
  const isReader = standingOf(sql, userId) !== null;
  // A chat made for an upload that nobody knows of yet stays that way.
  const differs = isReader ? !isKnown && chat.version > 0 : held.state === "listed";
  if (differs) {
    if (isReader && (held.version > chat.version || held.state === "lost")) {
      sql.exec("UPDATE chat SET version = ?", Math.max(held.version, chat.version) + 1);
    }
    const version = Math.max(held.version, readChat(sql).version);
    await openDelivery(env, sql, { version, news: [] })({ kind: "hub", userId });
  }
  const hasOldCopy = isOwner && copy !== null && (copy.title !== chat.title || copy.public !== (chat.is_public === 1));
  if (hasOldCopy) await syncChat(env, chat);
  const isCounted = !isOwner || (await mendStored(env, sql, held));
  const owned = isOwner ? { title: chat.title, public: chat.is_public === 1, created_at: chat.created_at } : null;
  return { isMended: differs || hasOldCopy || !isCounted, owned };
}

/** False where the hub counted other files than there are, and now counts these. */
async function mendStored(env: Env, sql: SqlStorage, { stored }: HeldChat): Promise<boolean> {
  if (stored === null && !hasFiles(sql)) return true;
  const { bytes } = sql.exec<{ bytes: number }>("SELECT COALESCE(SUM(size), 0) AS bytes FROM attachments").one();
  if (stored?.bytes === bytes) return true;
  sql.exec("UPDATE chat SET stored_seq = MAX(stored_seq, ?) + 1", stored?.seq ?? 0);
  await reportStored(env, sql);
  return false;
}
