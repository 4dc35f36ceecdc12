import { and, asc, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { accountDeletions } from "#worker/platform/db/schema/account-deletions.ts";
import { chats } from "#worker/platform/db/schema/chats.ts";

export type Deletion = typeof accountDeletions.$inferSelect;

/** A deletion that goes on; undefined for an account that is there, and for one that is gone. */
export async function selectDeletion(db: Database, userId: string): Promise<Deletion | undefined> {
  return db.select().from(accountDeletions).where(eq(accountDeletions.user_id, userId)).get();
}

/** Notes how far a deletion is, unless another run of it was faster. */
export async function updateDeletion(
  db: Database,
  before: Deletion,
  next: Pick<Deletion, "stage" | "after" | "pass" | "touched_at">,
): Promise<void> {
  const { user_id: userId, stage, after, pass } = accountDeletions;
  const isAsRead = and(eq(userId, before.user_id), eq(stage, before.stage), eq(after, before.after), eq(pass, before.pass));
  await db.update(accountDeletions).set(next).where(isAsRead);
}

export async function deleteDeletion(db: Database, userId: string): Promise<void> {
  await db.delete(accountDeletions).where(eq(accountDeletions.user_id, userId));
}

/** Deletions that nothing was reported of since `cutoff` (ISO 8601), those that wait longest first. */
export async function selectStalled(db: Database, cutoff: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: accountDeletions.user_id })
    .from(accountDeletions)
    .where(lt(accountDeletions.touched_at, cutoff))
    .orderBy(asc(accountDeletions.touched_at))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** A deletion is taken up again: it is not looked for once more before long. */
export async function touchDeletion(db: Database, userId: string, at: string): Promise<void> {
  await db.update(accountDeletions).set({ touched_at: at }).where(eq(accountDeletions.user_id, userId));
}

/** Notes what of a deletion failed again and again. */
export async function insertFailing(db: Database, userId: string, names: readonly string[]): Promise<void> {
  const all = sql`SELECT value FROM json_each(${accountDeletions.failing}) UNION SELECT value FROM json_each(${JSON.stringify(names)})`;
  await db.run(sql`UPDATE account_deletions SET failing = (SELECT json_group_array(value) FROM (${all})) WHERE user_id = ${userId}`);
}

/** Forgets one of these, as it has not failed any more. */
export async function deleteFailing(db: Database, userId: string, name: string): Promise<void> {
  const rest = sql`SELECT value FROM json_each(${accountDeletions.failing}) WHERE value <> ${name}`;
  await db.run(sql`UPDATE account_deletions SET failing = (SELECT json_group_array(value) FROM (${rest})) WHERE user_id = ${userId}`);
}

/** Some of a person's chats that others can read. */
export async function selectSharedChats(db: Database, userId: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT c.id FROM chats c WHERE c.user_id = ${userId} AND c.deleted_at IS NULL
    AND (EXISTS (SELECT 1 FROM chat_shares s WHERE s.chat_id = c.id) OR EXISTS (SELECT 1 FROM chat_team_shares t WHERE t.chat_id = c.id))
    LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/** A page of the chats that a person owned, in the order of their ids, deleted ones too: their rooms may still hold something. */
export async function selectOwnChats(db: Database, userId: string, page: { after: string; limit: number }): Promise<string[]> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.user_id, userId), gt(chats.id, page.after)))
    .orderBy(asc(chats.id))
    .limit(page.limit);
  return rows.map(({ id }) => id);
}

/** Some of a person's knowledge entries that belong to no team that is there. */
export async function selectTeamlessKnowledge(db: Database, userId: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT id FROM user_contexts WHERE user_id = ${userId}
    AND (team_id IS NULL OR team_id IN (SELECT id FROM teams WHERE deleted_at IS NOT NULL)) LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

type Counts = {
  chats: number;
  sharedChats: number;
  readers: number;
  artifacts: number;
  knowledge: number;
  personas: number;
  prompts: number;
};

/** How much of what goes with an account there is, and how many people read chats of it. */
export async function selectCounts(db: Database, userId: string): Promise<Counts> {
  const own = sql`SELECT id FROM chats WHERE user_id = ${userId} AND deleted_at IS NULL`;
  const readers = sql`
    SELECT s.chat_id, s.user_id FROM chat_shares s WHERE s.chat_id IN (${own}) AND s.user_id IS NOT NULL
    UNION
    SELECT t.chat_id, m.user_id FROM chat_team_shares t JOIN team_members m ON m.team_id = t.team_id
      WHERE t.chat_id IN (${own}) AND m.user_id <> ${userId}`;
  const found = await db.get<Counts>(sql`
    WITH readers AS (${readers}) SELECT
      (SELECT count(*) FROM chats WHERE user_id = ${userId} AND deleted_at IS NULL) AS chats,
      (SELECT count(DISTINCT chat_id) FROM readers) AS "sharedChats",
      (SELECT count(DISTINCT user_id) FROM readers) AS readers,
      (SELECT count(*) FROM artifacts WHERE user_id = ${userId}) AS artifacts,
      (SELECT count(*) FROM user_contexts WHERE user_id = ${userId} AND team_id IS NULL) AS knowledge,
      (SELECT count(*) FROM user_system_prompts WHERE user_id = ${userId} AND team_id IS NULL) AS personas,
      (SELECT count(*) FROM template_messages WHERE user_id = ${userId} AND team_id IS NULL) AS prompts`);
  return found ?? { chats: 0, sharedChats: 0, readers: 0, artifacts: 0, knowledge: 0, personas: 0, prompts: 0 };
}
