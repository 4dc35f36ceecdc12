import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { CODE_TRIES } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { artifactShares } from "#worker/platform/db/schema/artifacts.ts";
import { chatShares } from "#worker/platform/db/schema/chat-shares.ts";
import { chats } from "#worker/platform/db/schema/chats.ts";
import { signInCodes } from "#worker/platform/db/schema/sessions.ts";
import { usageDays } from "#worker/platform/db/schema/usage.ts";

/** Makes a code and a link the live ones of their browser and address. */
export async function replaceCode(db: Database, row: Omit<typeof signInCodes.$inferInsert, "tries">): Promise<void> {
  const { code_hash, link_hash, expires_at } = row;
  await db
    .insert(signInCodes)
    .values({ ...row, tries: 0 })
    .onConflictDoUpdate({ target: [signInCodes.browser, signInCodes.email], set: { code_hash, link_hash, expires_at, tries: 0 } });
}

type CodePlace = { browser: string; email: string };

function isAt({ browser, email }: CodePlace) {
  return and(eq(signInCodes.browser, browser), eq(signInCodes.email, email));
}

/** Counts one try against the live code of a browser and address, and returns its hash; nothing once it is spent or past. One statement, so parallel tries cannot exceed the limit. */
export async function countTry(db: Database, { now, ...place }: CodePlace & { now: string }): Promise<string | undefined> {
  const row = await db
    .update(signInCodes)
    .set({ tries: sql`${signInCodes.tries} + 1` })
    .where(and(isAt(place), lt(signInCodes.tries, CODE_TRIES), gt(signInCodes.expires_at, now)))
    .returning({ hash: signInCodes.code_hash })
    .get();
  return row?.hash;
}

/** Uses a code up, and its link; false when another request was first. */
export async function takeCode(db: Database, { hash, ...place }: CodePlace & { hash: string }): Promise<boolean> {
  const row = await db
    .delete(signInCodes)
    .where(and(isAt(place), eq(signInCodes.code_hash, hash)))
    .returning({ email: signInCodes.email })
    .get();
  return row !== undefined;
}

/** Whose address a link proves; nothing for one that is unknown, spent or past `now` (ISO 8601). */
export async function findLink(db: Database, { hash, now }: { hash: string; now: string }): Promise<string | undefined> {
  const row = await db
    .select({ email: signInCodes.email })
    .from(signInCodes)
    .where(and(eq(signInCodes.link_hash, hash), gt(signInCodes.expires_at, now)))
    .get();
  return row?.email;
}

/** Uses a link up, and its code, and returns whose address it proves; nothing for one that is unknown, spent or past `now` (ISO 8601). */
export async function consumeLink(db: Database, { hash, now }: { hash: string; now: string }): Promise<string | undefined> {
  const row = await db
    .delete(signInCodes)
    .where(and(eq(signInCodes.link_hash, hash), gt(signInCodes.expires_at, now)))
    .returning({ email: signInCodes.email })
    .get();
  return row?.email;
}

/** The chats a user owns, deleted ones left out. */
export async function listOwnChatIds(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.user_id, userId), isNull(chats.deleted_at)));
  return rows.map(({ id }) => id);
}

export async function markChatsDeleted(db: Database, userId: string, now: string): Promise<void> {
  await db
    .update(chats)
    .set({ deleted_at: now })
    .where(and(eq(chats.user_id, userId), isNull(chats.deleted_at)));
}

export async function moveChat(db: Database, chatId: string, { from, to }: { from: string; to: string }): Promise<void> {
  await db
    .update(chats)
    .set({ user_id: to })
    .where(and(eq(chats.id, chatId), eq(chats.user_id, from)));
}

/** Forgets a guest's days, whose entries another ledger took over. */
export async function deleteUsageDays(db: Database, userId: string): Promise<void> {
  await db.delete(usageDays).where(eq(usageDays.user_id, userId));
}

/** A statement that finds a row where an address is invited to anything. */
export function findInvitations(db: Database, email: string) {
  const to = (table: typeof chatShares | typeof artifactShares) =>
    db
      .select({ one: sql<number>`1` })
      .from(table)
      .where(and(eq(table.email, email), isNull(table.user_id)));
  return to(chatShares).unionAll(to(artifactShares)).limit(1);
}
