import { and, count, eq, gt, lt, sql } from "drizzle-orm";
import { ADDITIONAL_EMAILS_MAX, CODE_TRIES } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { deleteBatch } from "#worker/platform/db/delete-batch.ts";
import { additionalEmailCodes, additionalEmails } from "#worker/platform/db/schema/additional-emails.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** Makes a code the live one of a user, whatever address their last one was for. */
export async function replaceCode(db: Database, row: Omit<typeof additionalEmailCodes.$inferInsert, "tries">): Promise<void> {
  const { email, code_hash, expires_at } = row;
  await db
    .insert(additionalEmailCodes)
    .values({ ...row, tries: 0 })
    .onConflictDoUpdate({ target: additionalEmailCodes.user_id, set: { email, code_hash, expires_at, tries: 0 } });
}

/** Counts one try against a user's live code and returns it; nothing once it is spent or past. One statement, so parallel tries cannot exceed the limit. */
export async function countTry(db: Database, userId: string, now: string): Promise<{ email: string; hash: string } | undefined> {
  return db
    .update(additionalEmailCodes)
    .set({ tries: sql`${additionalEmailCodes.tries} + 1` })
    .where(
      and(eq(additionalEmailCodes.user_id, userId), lt(additionalEmailCodes.tries, CODE_TRIES), gt(additionalEmailCodes.expires_at, now)),
    )
    .returning({ email: additionalEmailCodes.email, hash: additionalEmailCodes.code_hash })
    .get();
}

/** Uses a user's code up; false when another request was first. */
export async function consumeCode(db: Database, userId: string, hash: string): Promise<boolean> {
  const taken = await db
    .delete(additionalEmailCodes)
    .where(and(eq(additionalEmailCodes.user_id, userId), eq(additionalEmailCodes.code_hash, hash)))
    .returning({ email: additionalEmailCodes.email })
    .get();
  return taken !== undefined;
}

/** Gives a user a proven address, in one statement: false where it is another's, an account's own, or one too many. */
export async function insertAdditional(db: Database, row: typeof additionalEmails.$inferInsert): Promise<boolean> {
  const theirs = db.select({ n: count() }).from(additionalEmails).where(eq(additionalEmails.user_id, row.user_id));
  const own = db.select({ id: users.id }).from(users).where(eq(users.email, row.email));
  const inserted = await db
    .insert(additionalEmails)
    .select(sql`SELECT ${row.email}, ${row.user_id}, ${row.verified_at} WHERE ${theirs} < ${ADDITIONAL_EMAILS_MAX} AND NOT EXISTS ${own}`)
    .onConflictDoNothing()
    .returning({ email: additionalEmails.email });
  return inserted.length > 0;
}

/** Takes an address from a user, with the code that it may wait for; false where it was not proven. */
export async function deleteAdditional(db: Database, userId: string, email: string): Promise<boolean> {
  const [gone] = await db.batch([
    db
      .delete(additionalEmails)
      .where(and(eq(additionalEmails.user_id, userId), eq(additionalEmails.email, email)))
      .returning({ email: additionalEmails.email }),
    db.delete(additionalEmailCodes).where(and(eq(additionalEmailCodes.user_id, userId), eq(additionalEmailCodes.email, email))),
  ]);
  return gone.length > 0;
}

/** Removes a batch of the codes that ended before `now` (ISO 8601); true where there may be more. */
export function deleteExpiredCodes(db: Database, now: string): Promise<boolean> {
  return deleteBatch(db, {
    table: additionalEmailCodes,
    key: [additionalEmailCodes.user_id],
    where: lt(additionalEmailCodes.expires_at, now),
  });
}
