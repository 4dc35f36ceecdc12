import { and, asc, eq, gt, ne, or, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { prompts, promptUses } from "../db/schema/prompts.ts";
import { teamMembers, teams } from "../db/schema/teams.ts";

export type PromptRow = typeof prompts.$inferSelect;

/** So much of a content is read to show its beginning on one line. */
const BEGINNING = 400;

const { content, ...described } = {
  id: prompts.id,
  name: prompts.name,
  content: prompts.content,
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
const beginning = sql<string>`substr(${content}, 1, ${sql.raw(String(BEGINNING))})`;
/** The reader's place in the prompt's team, null for none, and how they used it. */
const reached = {
  role: teamMembers.role,
  contentAdminOnly: teams.content_admin_only,
  uses: promptUses.uses,
  last_used_at: promptUses.last_used_at,
};

/** A prompt as its reader reaches it: `text` is its content, in lists the beginning of that. */
export type ReachedPrompt = {
  prompt: Omit<PromptRow, "content">;
  text: string;
  role: "admin" | "member" | null;
  contentAdminOnly: boolean | null;
  uses: number | null;
  last_used_at: string | null;
};

function reachedBy(db: Database, userId: string, text: typeof beginning | typeof content) {
  return db
    .select({ prompt: described, text, ...reached })
    .from(prompts)
    .leftJoin(teamMembers, and(eq(teamMembers.team_id, prompts.team_id), eq(teamMembers.user_id, userId)))
    .leftJoin(teams, eq(teams.id, teamMembers.team_id))
    .leftJoin(promptUses, and(eq(promptUses.prompt_id, prompts.id), eq(promptUses.user_id, userId)))
    .$dynamic();
}

function isReached(userId: string) {
  return or(eq(prompts.user_id, userId), eq(teamMembers.user_id, userId));
}

/** All prompts that a user may use, with the beginning of what they say: their own, and those of their teams. */
export async function selectPrompts(db: Database, userId: string): Promise<ReachedPrompt[]> {
  return reachedBy(db, userId, beginning).where(isReached(userId));
}

/** A prompt that a user may use. */
export async function selectPrompt(db: Database, userId: string, id: string): Promise<ReachedPrompt | undefined> {
  return reachedBy(db, userId, content)
    .where(and(eq(prompts.id, id), isReached(userId)))
    .get();
}

/** What a prompt is called and says, whoever asks. */
export async function selectPromptText(db: Database, id: string) {
  return db.select({ name: prompts.name, content: prompts.content }).from(prompts).where(eq(prompts.id, id)).get();
}

/** How many prompts of their own a user has. */
export async function countPrompts(db: Database, userId: string): Promise<number> {
  return db.$count(prompts, eq(prompts.user_id, userId));
}

/** Stores a prompt; undefined where its id is taken. */
export async function insertPrompt(db: Database, prompt: PromptRow): Promise<PromptRow | undefined> {
  return db.insert(prompts).values(prompt).onConflictDoNothing().returning().get();
}

/** Changes a prompt of this creator's; false where it is gone. */
export async function updatePromptRow(
  db: Database,
  { id, user_id: userId }: Pick<PromptRow, "id" | "user_id">,
  change: Partial<PromptRow>,
): Promise<boolean> {
  const changed = await db
    .update(prompts)
    .set(change)
    .where(and(eq(prompts.id, id), eq(prompts.user_id, userId)))
    .returning({ id: prompts.id });
  return changed.length > 0;
}

/** Deletes a prompt and how often it was used. */
export async function deletePromptRow(db: Database, id: string): Promise<void> {
  await db.batch([db.delete(promptUses).where(eq(promptUses.prompt_id, id)), db.delete(prompts).where(eq(prompts.id, id))]);
}

/** Counts one use. */
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
export async function selectEnds(db: Database, userId: string): Promise<{ first: number | null; last: number | null }> {
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

/** Numbers a user's prompts anew in their order. */
export async function renumber(db: Database, userId: string): Promise<void> {
  await db.run(sql`
    UPDATE template_messages SET position = ordered.n
    FROM (SELECT id, row_number() OVER (ORDER BY position, id) AS n FROM template_messages WHERE user_id = ${userId}) AS ordered
    WHERE template_messages.id = ordered.id`);
}
