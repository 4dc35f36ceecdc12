import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { chats } from "../db/schema/chats.ts";

export type ChatOwner = { user_id: string; deleted_at: string | null; title: string; public: boolean; created_at: string };

/** Inserts the chat's row unless there is one, and answers the row that stands; a tombstone is never brought back. */
export async function insertChat(
  db: Database,
  chat: { id: string; user_id: string; title: string; created_at: string },
): Promise<{ row: ChatOwner | null; isNew: boolean }> {
  const [inserted] = await db.insert(chats).values(chat).onConflictDoNothing().returning();
  return inserted ? { row: inserted, isNew: true } : { row: await findChatRow(db, chat.id), isNew: false };
}

/** Takes back a row whose chat was never founded. */
export async function deleteClaim(db: Database, id: string): Promise<void> {
  await db.delete(chats).where(and(eq(chats.id, id), isNull(chats.deleted_at)));
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
export async function keepChatRow(db: Database, row: ChatOwner & { id: string }): Promise<void> {
  const { id: _id, ...fields } = row;
  await db.insert(chats).values(row).onConflictDoUpdate({ target: chats.id, set: fields });
}

/** Marks a chat of this owner as deleted; false when there was none. */
export async function markChatDeleted(db: Database, ownerId: string, id: string): Promise<boolean> {
  const rows = await db
    .update(chats)
    .set({ deleted_at: new Date().toISOString(), title: "", public: false })
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
