import { and, eq, or, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { personas } from "../db/schema/personas.ts";
import { prompts } from "../db/schema/prompts.ts";
import { teamMembers } from "../db/schema/teams.ts";

/** Something of a user's own, by what an export needs to know before it reads the text. */
export type Entry = { kind: "persona" | "prompt"; id: string; length: number };

/** A user's own personas but the personalized one, by name, then their prompts in their order. */
export async function selectEntries(db: Database, userId: string): Promise<Entry[]> {
  const [own, ordered] = await db.batch([
    db
      .select({ id: personas.id, length: sql<number>`length(${personas.content})` })
      .from(personas)
      .where(and(eq(personas.user_id, userId), eq(personas.is_personalized, false)))
      .orderBy(personas.name, personas.id),
    db
      .select({ id: prompts.id, length: sql<number>`length(${prompts.content})` })
      .from(prompts)
      .where(eq(prompts.user_id, userId))
      .orderBy(prompts.position, prompts.id),
  ]);
  return [
    ...own.map((entry) => ({ kind: "persona" as const, ...entry })),
    ...ordered.map((entry) => ({ kind: "prompt" as const, ...entry })),
  ];
}

/** Too many for as many parameters. */
function listed(ids: readonly string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

/** The personas and prompts of these ids that are the user's own, with what they say. */
export async function selectTexts(db: Database, userId: string, ids: readonly string[]) {
  const [own, ordered] = await db.batch([
    db
      .select({ id: personas.id, name: personas.name, content: personas.content })
      .from(personas)
      .where(and(eq(personas.user_id, userId), sql`${personas.id} IN ${listed(ids)}`)),
    db
      .select({
        id: prompts.id,
        name: prompts.name,
        content: prompts.content,
        tool_categories: prompts.tool_categories,
        persona_id: prompts.persona_id,
        model_id: prompts.model_id,
      })
      .from(prompts)
      .where(and(eq(prompts.user_id, userId), sql`${prompts.id} IN ${listed(ids)}`)),
  ]);
  return { personas: own, prompts: ordered };
}

/** The names of all personas that a user may use, their own first. */
export async function selectPersonaNames(db: Database, userId: string): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: personas.id, name: personas.name })
    .from(personas)
    .leftJoin(teamMembers, and(eq(teamMembers.team_id, personas.team_id), eq(teamMembers.user_id, userId)))
    .where(or(eq(personas.user_id, userId), eq(teamMembers.user_id, userId)))
    .orderBy(sql`${personas.user_id} = ${userId} DESC`, personas.id);
}

/** What a user's own personas or prompts are called. */
export async function selectNames(db: Database, userId: string, kind: Entry["kind"]): Promise<{ id: string; name: string }[]> {
  if (kind === "prompt") {
    return db.select({ id: prompts.id, name: prompts.name }).from(prompts).where(eq(prompts.user_id, userId));
  }
  return db.select({ id: personas.id, name: personas.name }).from(personas).where(eq(personas.user_id, userId));
}

/** A row of a file beside one of the user's own of the same name. */
export type Pair = { row: number; id: string; content: string };

/** Those of the pairs that say the same, word for word. */
export async function selectSame(db: Database, kind: Entry["kind"], pairs: readonly Pair[]): Promise<{ row: number; id: string }[]> {
  const table = kind === "prompt" ? prompts : personas;
  return db.all<{ row: number; id: string }>(sql`
    SELECT j.value ->> 'row' AS row, t.id AS id FROM json_each(${JSON.stringify(pairs)}) AS j
    CROSS JOIN ${table} AS t ON t.id = j.value ->> 'id' WHERE t.content = j.value ->> 'content'`);
}

export type NewPersona = { id: string; name: string; content: string };
export type NewPrompt = NewPersona & {
  steps: number;
  fields: number;
  tool_categories: string[] | null;
  persona_id: string | null;
  model_id: string | null;
  position: number;
};

/** Stores personas and prompts of a user's own, all or none; each part is one parameter. The values stand in their tables' order. */
export async function insertAll(
  db: Database,
  { userId, at }: { userId: string; at: string },
  parts: { personas: readonly NewPersona[][]; prompts: readonly NewPrompt[][] },
): Promise<void> {
  const statements = [
    ...parts.personas.map((rows) =>
      db.insert(personas).select(sql`
        SELECT value ->> 'id', ${userId}, NULL, value ->> 'name', value ->> 'content', NULL, 0, 0, 1, ${at}, ${at}, 1
        FROM json_each(${JSON.stringify(rows)})`),
    ),
    ...parts.prompts.map((rows) =>
      db.insert(prompts).select(sql`
        SELECT value ->> 'id', ${userId}, NULL, value ->> 'name', value ->> 'content', value ->> 'steps', value ->> 'fields',
          nullif(value -> 'tool_categories', 'null'), value ->> 'persona_id', value ->> 'model_id', NULL, value ->> 'position', ${at}, ${at}
        FROM json_each(${JSON.stringify(rows)})`),
    ),
  ];
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
}
