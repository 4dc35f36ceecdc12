import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { chatTeamShares } from "#worker/platform/db/schema/chat-shares.ts";
import { chats } from "#worker/platform/db/schema/chats.ts";

export type ChatOwner = {
  user_id: string;
  deleted_at: string | null;
  title: string;
  public: boolean;
  created_at: string;
  team_id?: string | null;
};

type NewRow = { id: string; user_id: string; title: string; created_at: string; team_id: string | null };

/**
 * Inserts the chat's row unless there is one, in the same transaction shared with the team that it begins in, and answers the row that
 * stands; a tombstone is never brought back.
 */
export async function insertChat(db: Database, chat: NewRow): Promise<{ row: ChatOwner | null; isNew: boolean }> {
  const [inserted] = await insertRow(db, chat);
  return inserted ? { row: inserted, isNew: true } : { row: await findChatRow(db, chat.id), isNew: false };
}

async function insertRow(db: Database, chat: NewRow) {
  const insert = db
    .insert(chats)
    .values({ ...chat, mail_token: newMailToken() })
    .onConflictDoNothing()
    .returning();
  if (chat.team_id === null) return insert;
  const { id, user_id: userId, created_at: at, team_id: teamId } = chat;
  // A repeated creation finds the row of the first, made at another time, and shares nothing again.
  const share = sql`SELECT ${crypto.randomUUID()}, id, team_id, 'viewer', user_id, created_at FROM chats
    WHERE id = ${id} AND user_id = ${userId} AND team_id = ${teamId} AND created_at = ${at}`;
  const [rows] = await db.batch([insert, db.insert(chatTeamShares).select(share).onConflictDoNothing()]);
  return rows;
}

/** Takes back a row whose chat was never created. */
export async function deleteClaim(db: Database, id: string): Promise<void> {
  await db.batch([
    db.delete(chats).where(and(eq(chats.id, id), isNull(chats.deleted_at))),
    db.delete(chatTeamShares).where(and(eq(chatTeamShares.chat_id, id), sql`NOT EXISTS (SELECT 1 FROM chats WHERE id = ${id})`)),
  ]);
}

/** The chat's row, a tombstone too. */
export async function findChatRow(db: Database, id: string): Promise<ChatOwner | null> {
  const [row] = await db.select().from(chats).where(eq(chats.id, id)).limit(1);
  return row ?? null;
}

/** The rows of chats, tombstones too, at most 100 in one call (the platform's limit of parameters). */
export async function findChatRows(db: Database, ids: string[]): Promise<Map<string, ChatOwner>> {
  const rows = ids.length === 0 ? [] : await db.select().from(chats).where(inArray(chats.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Puts a chat's row as it is known elsewhere in place of what is there, if anything. */
export async function upsertChatRow(db: Database, row: ChatOwner & { id: string }): Promise<void> {
  const { id: _id, ...fields } = row;
  await db.insert(chats).values(row).onConflictDoUpdate({ target: chats.id, set: fields });
}

/** Marks a chat of this owner as deleted; false when there was none. */
export async function markChatDeleted(db: Database, ownerId: string, id: string): Promise<boolean> {
  const rows = await db
    .update(chats)
    .set({ deleted_at: new Date().toISOString(), title: "", public: false, mail_token: null })
    .where(and(eq(chats.id, id), eq(chats.user_id, ownerId), isNull(chats.deleted_at)))
    .returning({ id: chats.id });
  return rows.length > 0;
}

/** Keeps the relational copy of a chat in step with its room. */
export async function updateChatCopy(db: Database, { id, ...copy }: { id: string; title: string; public: boolean }): Promise<void> {
  await db
    .update(chats)
    .set(copy)
    .where(and(eq(chats.id, id), isNull(chats.deleted_at)));
}

/** The chat that this local part of an address is of. */
export async function findByMailToken(db: Database, token: string): Promise<{ id: string; user_id: string } | null> {
  const [row] = await db
    .select({ id: chats.id, user_id: chats.user_id })
    .from(chats)
    .where(and(eq(chats.mail_token, token), isNull(chats.deleted_at)))
    .limit(1);
  return row ?? null;
}

/** Gives a chat the local part of its address, a new one or, where it has one already, only with `isNew`; null for a chat that is not there. */
export async function setMailToken(db: Database, id: string, { isNew }: { isNew: boolean }): Promise<string | null> {
  const token = newMailToken();
  const [row] = await db
    .update(chats)
    .set({ mail_token: isNew ? token : sql`COALESCE(${chats.mail_token}, ${token})` })
    .where(and(eq(chats.id, id), isNull(chats.deleted_at)))
    .returning({ token: chats.mail_token });
  return row?.token ?? null;
}

/** The local part of a chat's address; null where it has none yet. */
export async function readMailToken(db: Database, id: string): Promise<string | null> {
  const [row] = await db.select({ token: chats.mail_token }).from(chats).where(eq(chats.id, id)).limit(1);
  return row?.token ?? null;
}

/** 128 random bits as hexadecimal digits: mail programs keep them whatever they do to upper and lower case. */
function newMailToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
