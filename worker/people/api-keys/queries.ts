import { and, asc, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { apiKeys } from "#worker/platform/db/schema/api-keys.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** A user's keys that are in force, oldest first. */
export async function selectKeys(db: Database, userId: string): Promise<ApiKeyRow[]> {
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.user_id, userId), isNull(apiKeys.revoked_at)))
    .orderBy(asc(apiKeys.created_at), asc(apiKeys.id));
}

/** One key of a user that is in force. */
export async function selectKey(db: Database, userId: string, id: string): Promise<ApiKeyRow | undefined> {
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.user_id, userId), isNull(apiKeys.revoked_at)))
    .get();
}

/** Inserts a key unless its id is taken or its user has `limit` already; false where nothing was inserted. */
export async function insertKey(db: Database, row: ApiKeyRow, limit: number): Promise<boolean> {
  const { id, user_id, name, hash, hint, budget_micros, created_at } = row;
  const scopes = JSON.stringify(row.scopes);
  const inserted = await db.all(sql`
    INSERT INTO api_keys (id, user_id, name, hash, hint, scopes, budget_micros, created_at)
    SELECT ${id}, ${user_id}, ${name}, ${hash}, ${hint}, ${scopes}, ${budget_micros}, ${created_at}
    WHERE (SELECT COUNT(*) FROM api_keys WHERE user_id = ${user_id} AND revoked_at IS NULL) < ${limit}
    ON CONFLICT DO NOTHING RETURNING id`);
  return inserted.length > 0;
}

export async function updateKeyRow(
  db: Database,
  { userId, id }: { userId: string; id: string },
  changes: Partial<Pick<ApiKeyRow, "name" | "scopes" | "budget_micros">>,
): Promise<void> {
  await db
    .update(apiKeys)
    .set(changes)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.user_id, userId)));
}

/** Revokes a key of a user; false where there never was one. */
export async function revokeKeyRow(db: Database, { userId, id }: { userId: string; id: string }, at: string): Promise<boolean> {
  const revokedRows = await db
    .update(apiKeys)
    .set({ hash: `revoked ${id}`, revoked_at: sql`coalesce(${apiKeys.revoked_at}, ${at})` })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.user_id, userId)))
    .returning({ id: apiKeys.id });
  return revokedRows.length > 0;
}

/** The key with this hash and whose it is: an index finds it, so timing reveals nothing about a guess. */
export async function selectKeyByHash(db: Database, hash: string) {
  return db
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.user_id))
    .where(eq(apiKeys.hash, hash))
    .get();
}

/** Notes a key's use, unless one was noted since `before`. */
export async function touchKey(db: Database, id: string, { at, before }: { at: string; before: string }): Promise<void> {
  await db
    .update(apiKeys)
    .set({ last_used_at: at })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.last_used_at), lt(apiKeys.last_used_at, before))));
}
