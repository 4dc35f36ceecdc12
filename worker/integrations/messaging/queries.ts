import { and, eq, inArray, lt, lte, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { deleteBatch } from "#worker/platform/db/delete-batch.ts";
import { messagingConversations, messagingMessages, messagingWaiting } from "#worker/platform/db/schema/messaging.ts";

export type MessageRow = typeof messagingMessages.$inferSelect;
type NewRow = typeof messagingMessages.$inferInsert;

/** Eleven columns of a row: a statement takes 100 parameters. */
const ROWS = 9;

/** Stores messages once each, by the app's own id; answers how many are new. */
export async function insertMessages(db: Database, rows: readonly NewRow[]): Promise<number> {
  let count = 0;
  for (let at = 0; at < rows.length; at += ROWS) {
    const page = rows.slice(at, at + ROWS);
    const inserted = await db.insert(messagingMessages).values(page).onConflictDoNothing().returning({ id: messagingMessages.id });
    count += inserted.length;
  }
  return count;
}

const UNSETTLED = inArray(messagingMessages.state, ["waiting", "answering"]);

/** The oldest message of a person that waits and is not put off beyond `now`, by when it was sent, within one second by when it came. */
export async function selectNext(db: Database, userId: string, now: number): Promise<MessageRow | undefined> {
  return db
    .select()
    .from(messagingMessages)
    .where(and(eq(messagingMessages.user_id, userId), UNSETTLED, lte(messagingMessages.due_at, now)))
    .orderBy(messagingMessages.sent_at, messagingMessages.created_at, messagingMessages.id)
    .limit(1)
    .get();
}

/** People whose messages wait since before a time in epoch milliseconds, as if their job had died. */
export async function selectLeft(db: Database, before: number, limit: number): Promise<string[]> {
  const isLeft = and(UNSETTLED, lt(messagingMessages.due_at, before), lt(messagingMessages.created_at, new Date(before).toISOString()));
  const rows = await db.selectDistinct({ userId: messagingMessages.user_id }).from(messagingMessages).where(isLeft).limit(limit);
  return rows.map(({ userId }) => userId);
}

/** A person's message by the app's own id. */
export async function selectMessage(db: Database, userId: string, id: string): Promise<MessageRow | undefined> {
  return db
    .select()
    .from(messagingMessages)
    .where(and(eq(messagingMessages.id, id), eq(messagingMessages.user_id, userId)))
    .get();
}

export async function updateMessage(db: Database, id: string, change: Partial<Omit<MessageRow, "id">>): Promise<void> {
  await db.update(messagingMessages).set(change).where(eq(messagingMessages.id, id));
}

/** Notes that a message is about to be answered by itself, and with what; false where it was before. */
export async function claimAnswer(db: Database, id: string, notice: string): Promise<boolean> {
  const isWaiting = and(eq(messagingMessages.id, id), eq(messagingMessages.state, "waiting"));
  const claimed = await db
    .update(messagingMessages)
    .set({ state: "answering", notice })
    .where(isWaiting)
    .returning({ id: messagingMessages.id });
  return claimed.length > 0;
}

/** Forgets a batch of what is older; what it said was the chat's long before. True where there may be more. */
export function deleteMessages(db: Database, before: string): Promise<boolean> {
  return deleteBatch(db, { table: messagingMessages, key: [messagingMessages.id], where: lt(messagingMessages.created_at, before) });
}

/** Takes the right to work off what a person wrote, until then in epoch milliseconds; false where another job has it. */
export async function claimPerson(db: Database, userId: string, { now, until }: { now: number; until: number }): Promise<boolean> {
  const claimed = await db
    .insert(messagingConversations)
    .values({ user_id: userId, busy_until: until })
    .onConflictDoUpdate({
      target: messagingConversations.user_id,
      set: { busy_until: until },
      setWhere: sql`${messagingConversations.busy_until} <= ${now}`,
    })
    .returning({ id: messagingConversations.user_id });
  return claimed.length > 0;
}

/** Holds that right longer, or with 0 gives it back; false where another job has it by now. */
export async function extendPersonLease(db: Database, userId: string, { held, until }: { held: number; until: number }): Promise<boolean> {
  const isOwn = and(eq(messagingConversations.user_id, userId), eq(messagingConversations.busy_until, held));
  const updated = await db
    .update(messagingConversations)
    .set({ busy_until: until })
    .where(isOwn)
    .returning({ id: messagingConversations.user_id });
  return updated.length > 0;
}

/** The chat in which a person's conversation goes on. */
export async function selectCurrent(db: Database, userId: string): Promise<string | null> {
  const row = await db.select().from(messagingConversations).where(eq(messagingConversations.user_id, userId)).get();
  return row?.chat_id ?? null;
}

/** Sets it; null where the next message begins another. */
export async function updateCurrent(db: Database, userId: string, chatId: string | null): Promise<void> {
  await db
    .insert(messagingConversations)
    .values({ user_id: userId, chat_id: chatId })
    .onConflictDoUpdate({ target: messagingConversations.user_id, set: { chat_id: chatId } });
}

/** Notes that something of a chat waits until its person writes. */
export async function insertWaiting(db: Database, row: { user_id: string; chat_id: string }): Promise<void> {
  await db.insert(messagingWaiting).values(row).onConflictDoNothing();
}

/** The chats with something that waits for a person. */
export async function selectWaiting(db: Database, userId: string): Promise<string[]> {
  const rows = await db.select().from(messagingWaiting).where(eq(messagingWaiting.user_id, userId)).limit(50);
  return rows.map((row) => row.chat_id);
}

export async function deleteWaiting(db: Database, userId: string, chatId: string): Promise<void> {
  await db.delete(messagingWaiting).where(and(eq(messagingWaiting.user_id, userId), eq(messagingWaiting.chat_id, chatId)));
}

/** Forgets all that waits for a person; answers the chats in which something did. */
export async function deleteAllWaiting(db: Database, userId: string): Promise<string[]> {
  const rows = await db.delete(messagingWaiting).where(eq(messagingWaiting.user_id, userId)).returning({ id: messagingWaiting.chat_id });
  return rows.map((row) => row.id);
}

/** Forgets in which chat a person's conversation goes on; who is working it off goes on. */
export async function clearCurrent(db: Database, userId: string): Promise<void> {
  await db.update(messagingConversations).set({ chat_id: null }).where(eq(messagingConversations.user_id, userId));
}
