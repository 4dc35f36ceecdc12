import { and, eq, gt, lt, sql } from "drizzle-orm";
import { CODE_TRIES } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { deleteBatch } from "#worker/platform/db/delete-batch.ts";
import { messagingCodes } from "#worker/platform/db/schema/messaging-codes.ts";

/** The number whose code an account may still enter at `now` (ISO 8601). */
export async function findPendingNumber(db: Database, userId: string, now: string): Promise<string | undefined> {
  const row = await db.select({ phone: messagingCodes.phone }).from(messagingCodes).where(isLive(userId, now)).get();
  return row?.phone;
}

/** Makes a code the live one of an account, whatever number its last one was for. */
export async function replaceCode(db: Database, row: Omit<typeof messagingCodes.$inferInsert, "tries">): Promise<void> {
  const { phone, code_hash, expires_at } = row;
  await db
    .insert(messagingCodes)
    .values({ ...row, tries: 0 })
    .onConflictDoUpdate({ target: messagingCodes.user_id, set: { phone, code_hash, expires_at, tries: 0 } });
}

/** Counts one try against an account's live code and returns it; nothing once it is spent or past. One statement, so parallel tries cannot exceed the limit. */
export async function countTry(db: Database, userId: string, now: string): Promise<{ phone: string; hash: string } | undefined> {
  return db
    .update(messagingCodes)
    .set({ tries: sql`${messagingCodes.tries} + 1` })
    .where(isLive(userId, now))
    .returning({ phone: messagingCodes.phone, hash: messagingCodes.code_hash })
    .get();
}

/** Uses an account's code up; false when another request was first. */
export async function consumeCode(db: Database, userId: string, hash: string): Promise<boolean> {
  const taken = await db
    .delete(messagingCodes)
    .where(and(eq(messagingCodes.user_id, userId), eq(messagingCodes.code_hash, hash)))
    .returning({ phone: messagingCodes.phone })
    .get();
  return taken !== undefined;
}

/** Forgets the code that an account may wait for. */
export async function deleteCode(db: Database, userId: string): Promise<void> {
  await db.delete(messagingCodes).where(eq(messagingCodes.user_id, userId));
}

/** Removes a batch of the codes that ended before `now` (ISO 8601); true where there may be more. */
export function deletePastNumberCodes(db: Database, now: string): Promise<boolean> {
  return deleteBatch(db, { table: messagingCodes, key: [messagingCodes.user_id], where: lt(messagingCodes.expires_at, now) });
}

function isLive(userId: string, now: string) {
  return and(eq(messagingCodes.user_id, userId), lt(messagingCodes.tries, CODE_TRIES), gt(messagingCodes.expires_at, now));
}
