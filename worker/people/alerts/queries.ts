import { and, eq, gt, gte, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { deleteBatch } from "#worker/platform/db/delete-batch.ts";
import { alertLinks } from "#worker/platform/db/schema/alert-links.ts";
import { apiKeys } from "#worker/platform/db/schema/api-keys.ts";
import { sessions } from "#worker/platform/db/schema/sessions.ts";
import { identities } from "#worker/platform/db/schema/users.ts";

type Link = typeof alertLinks.$inferSelect;

/** Keeps what a mail's link opens. */
export async function insertLink(db: Database, link: Link): Promise<void> {
  await db.insert(alertLinks).values(link);
}

/** What a link is about; nothing for one that is unknown, used or past `now` (ISO 8601). */
export async function findLink(db: Database, { hash, now }: { hash: string; now: string }): Promise<Link | undefined> {
  return db
    .select()
    .from(alertLinks)
    .where(and(eq(alertLinks.hash, hash), gt(alertLinks.expires_at, now)))
    .get();
}

/**
 * Uses a link up and, in the same transaction, ends all sessions and keys of its account and the sign-ins that were linked since
 * `linkedSince` (ISO 8601); false where another request was first, which has done the same.
 */
export async function deleteAllAccess(
  db: Database,
  { hash, user_id }: Link,
  { now, linkedSince }: { now: string; linkedSince: string },
): Promise<boolean> {
  const [, , , used] = await db.batch([
    db.delete(sessions).where(eq(sessions.user_id, user_id)),
    db
      .update(apiKeys)
      .set({ hash: sql`'revoked ' || ${apiKeys.id}`, revoked_at: now })
      .where(and(eq(apiKeys.user_id, user_id), isNull(apiKeys.revoked_at))),
    db.delete(identities).where(and(eq(identities.user_id, user_id), gte(identities.created_at, linkedSince))),
    db.delete(alertLinks).where(eq(alertLinks.hash, hash)).returning({ hash: alertLinks.hash }),
  ]);
  return used.length > 0;
}

/** Removes a batch of the links that ended before `now` (ISO 8601); true where there may be more. */
export function deleteExpiredLinks(db: Database, now: string): Promise<boolean> {
  return deleteBatch(db, { table: alertLinks, key: [alertLinks.hash], where: lt(alertLinks.expires_at, now) });
}
