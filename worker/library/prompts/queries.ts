import { and, asc, eq, getTableColumns, gt, ne, or, sql } from "drizzle-orm";
import { PROMPTS_BYTES, PROMPTS_MAX, TEAM_PROMPTS_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { prompts, promptUses } from "#worker/platform/db/schema/prompts.ts";
import { teamMembers, teams } from "#worker/platform/db/schema/teams.ts";
import { isMembership, isUsable, membershipColumns, type MembershipRow } from "#worker/platform/db/team-content.ts";

export type PromptRow = typeof prompts.$inferSelect;

const described = {
  id: prompts.id,
  name: prompts.name,
  steps: prompts.steps,
  fields: prompts.fields,
  team_id: prompts.team_id,
  user_id: prompts.user_id,
  tool_categories: prompts.tool_categories,
  persona_id: prompts.persona_id,
  model_id: prompts.model_id,
  context_ids: prompts.context_ids,
  position: prompts.position,
  created_at: prompts.created_at,
  updated_at: prompts.updated_at,
};
/** A prompt as its reader reaches it, with their place in its team, and how they used it: `text` is its content, in lists the beginning of that. */
export type AccessiblePromptRow = MembershipRow & {
  prompt: Omit<PromptRow, "content" | "beginning" | "length" | "is_changed_by_others">;
  text: string;
  uses: number | null;
  last_used_at: string | null;
};

function selectAccessible(db: Database, userId: string, text: typeof prompts.beginning | typeof prompts.content) {
  return db
    .select({ prompt: described, text, ...membershipColumns, uses: promptUses.uses, last_used_at: promptUses.last_used_at })
    .from(prompts)
    .leftJoin(teamMembers, isMembership(prompts, userId))
    .leftJoin(teams, eq(teams.id, teamMembers.team_id))
    .leftJoin(promptUses, and(eq(promptUses.prompt_id, prompts.id), eq(promptUses.user_id, userId)))
    .$dynamic();
}

/** All prompts that a user may use, with the beginning of what they say: their own, and those of their teams. */
export async function selectPrompts(db: Database, userId: string): Promise<AccessiblePromptRow[]> {
  return selectAccessible(db, userId, prompts.beginning).where(isUsable(prompts, userId));
}

export async function selectPrompt(db: Database, userId: string, id: string): Promise<AccessiblePromptRow | undefined> {
  return selectAccessible(db, userId, prompts.content)
    .where(and(eq(prompts.id, id), isUsable(prompts, userId)))
    .get();
}

/** True for a prompt of which somebody else than its creator said last what it says. */
export async function isChangedByOthers(db: Database, id: string): Promise<boolean> {
  const { is_changed_by_others: isChanged } = prompts;
  return (await db.select({ isChanged }).from(prompts).where(eq(prompts.id, id)).get())?.isChanged ?? false;
}

/** What a prompt is called and says, and since when it is there, whoever asks. */
export async function selectPromptText(db: Database, id: string) {
  const { name, content, created_at } = prompts;
  return db.select({ name, content, created_at }).from(prompts).where(eq(prompts.id, id)).get();
}

/** So many prompts of one person, and what they take. */
export type PromptTotals = { count: number; bytes: number };

/** True, in SQL, where a user has room for so many prompts more: asked by the statement that adds them, as several may add at once. */
export function hasRoom(userId: string, { count, bytes }: PromptTotals) {
  return sql<boolean>`(SELECT count(*) + ${count} <= ${PROMPTS_MAX} AND coalesce(sum(h.length), 0) + ${bytes} <= ${PROMPTS_BYTES}
    FROM template_messages h WHERE h.user_id = ${userId})`;
}

/** True, in SQL, where a prompt's change leaves its creator and its team within their limits; what shortens always may. */
function staysWithin(userId: string, { length, team_id: teamId }: Partial<PromptRow>) {
  const others = sql`(SELECT coalesce(sum(h.length), 0) FROM template_messages h WHERE h.user_id = ${userId} AND h.id <> ${prompts.id})`;
  const shared = sql`(SELECT count(*) FROM template_messages h WHERE h.team_id = ${teamId})`;
  return and(
    length === undefined ? undefined : sql`(${length} <= ${prompts.length} OR ${others} + ${length} <= ${PROMPTS_BYTES})`,
    typeof teamId === "string" ? sql`${shared} < ${TEAM_PROMPTS_MAX}` : undefined,
  );
}

/** How many prompts of their own a user has, and what they take. */
export async function selectOwnPromptUsage(db: Database, userId: string): Promise<PromptTotals> {
  const totals = { count: sql<number>`count(*)`, bytes: sql<number>`coalesce(sum(${prompts.length}), 0)` };
  return (await db.select(totals).from(prompts).where(eq(prompts.user_id, userId)).get()) ?? { count: 0, bytes: 0 };
}

/** Stores a prompt; undefined where its id is taken, or where there is no room. */
export async function insertPrompt(db: Database, prompt: PromptRow): Promise<PromptRow | undefined> {
  const columns = getTableColumns(prompts);
  // In the columns' order.
  const values = [
    sql.param(prompt.id, columns.id),
    sql.param(prompt.user_id, columns.user_id),
    sql.param(prompt.team_id, columns.team_id),
    sql.param(prompt.name, columns.name),
    sql.param(prompt.steps, columns.steps),
    sql.param(prompt.fields, columns.fields),
    sql.param(prompt.tool_categories, columns.tool_categories),
    sql.param(prompt.persona_id, columns.persona_id),
    sql.param(prompt.model_id, columns.model_id),
    sql.param(prompt.context_ids, columns.context_ids),
    sql.param(prompt.position, columns.position),
    sql.param(prompt.created_at, columns.created_at),
    sql.param(prompt.updated_at, columns.updated_at),
    sql.param(prompt.length, columns.length),
    sql.param(prompt.beginning, columns.beginning),
    sql.param(prompt.content, columns.content),
    sql.param(prompt.is_changed_by_others, columns.is_changed_by_others),
  ];
  const room = and(hasRoom(prompt.user_id, { count: 1, bytes: prompt.length }), staysWithin(prompt.user_id, { team_id: prompt.team_id }));
  return db
    .insert(prompts)
    .select(sql`SELECT ${sql.join(values, sql`, `)} WHERE ${room}`)
    .onConflictDoNothing()
    .returning()
    .get();
}

export async function countTeamPrompts(db: Database, teamId: string): Promise<number> {
  return db.$count(prompts, eq(prompts.team_id, teamId));
}

/** Changes a prompt of this creator's; false where it is gone, or where there is no room. */
export async function updatePromptRow(
  db: Database,
  { id, user_id: userId }: Pick<PromptRow, "id" | "user_id">,
  change: Partial<PromptRow>,
): Promise<boolean> {
  const changed = await db
    .update(prompts)
    .set(change)
    .where(and(eq(prompts.id, id), eq(prompts.user_id, userId), staysWithin(userId, change)))
    .returning({ id: prompts.id });
  return changed.length > 0;
}

/** Deletes a prompt and how often it was used. */
export async function deletePromptRow(db: Database, id: string): Promise<void> {
  await db.batch([db.delete(promptUses).where(eq(promptUses.prompt_id, id)), db.delete(prompts).where(eq(prompts.id, id))]);
}

export async function insertUse(db: Database, { userId, promptId }: { userId: string; promptId: string }, at: string): Promise<void> {
  await db
    .insert(promptUses)
    .values({ user_id: userId, prompt_id: promptId, uses: 1, last_used_at: at })
    .onConflictDoUpdate({
      target: [promptUses.user_id, promptUses.prompt_id],
      set: { uses: sql`${promptUses.uses} + 1`, last_used_at: at },
    });
}

/** The lowest and the highest place among a user's prompts; null without any. */
export async function selectFirstAndLastPosition(db: Database, userId: string): Promise<{ first: number | null; last: number | null }> {
  const ends = { first: sql<number | null>`min(${prompts.position})`, last: sql<number | null>`max(${prompts.position})` };
  return (await db.select(ends).from(prompts).where(eq(prompts.user_id, userId)).get()) ?? { first: null, last: null };
}

/** The place of one of a user's own prompts; undefined for another's. */
export async function selectPosition(db: Database, userId: string, id: string): Promise<number | undefined> {
  const row = await db
    .select({ position: prompts.position })
    .from(prompts)
    .where(and(eq(prompts.id, id), eq(prompts.user_id, userId)))
    .get();
  return row?.position;
}

/** The place of the prompt that follows this one, another than `but`; undefined behind the last. */
export async function selectNextPosition(
  db: Database,
  userId: string,
  { id, position, but }: { id: string; position: number; but: string | null },
): Promise<number | undefined> {
  const follows = or(gt(prompts.position, position), and(eq(prompts.position, position), gt(prompts.id, id)));
  const row = await db
    .select({ position: prompts.position })
    .from(prompts)
    .where(and(eq(prompts.user_id, userId), follows, but === null ? undefined : ne(prompts.id, but)))
    .orderBy(asc(prompts.position), asc(prompts.id))
    .limit(1)
    .get();
  return row?.position;
}

/** Numbers a user's prompts again in their order. */
export async function renumberPrompts(db: Database, userId: string): Promise<void> {
  await db.run(sql`
    UPDATE template_messages SET position = ordered.n
    FROM (SELECT id, row_number() OVER (ORDER BY position, id) AS n FROM template_messages WHERE user_id = ${userId}) AS ordered
    WHERE template_messages.id = ordered.id`);
}
