import { and, eq, or, sql } from "drizzle-orm";
import { PERSONAS_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { personas } from "#worker/platform/db/schema/personas.ts";
import { prompts } from "#worker/platform/db/schema/prompts.ts";
import { teamMembers } from "#worker/platform/db/schema/teams.ts";
import { hasRoom } from "#worker/library/prompts/prompts.ts";

/** Something of a user's own, by what an export needs to know before it reads the text. */
export type Entry = { kind: "persona" | "prompt"; id: string; length: number };

/** A user's own personas but the personalized one, by name, then their prompts in their order. */
export async function selectEntries(db: Database, userId: string): Promise<Entry[]> {
  const [own, ordered] = await db.batch([
    db
      .select({ id: personas.id, length: sql<number>`octet_length(${personas.content})` })
      .from(personas)
      .where(and(eq(personas.user_id, userId), eq(personas.is_personalized, false)))
      .orderBy(personas.name, personas.id),
    db
      .select({ id: prompts.id, length: prompts.length })
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
  const sharing = db.select({ id: teamMembers.team_id }).from(teamMembers).where(eq(teamMembers.user_id, userId));
  return db
    .select({ id: personas.id, name: personas.name })
    .from(personas)
    .where(or(eq(personas.user_id, userId), sql`${personas.team_id} IN ${sharing}`))
    .orderBy(sql`${personas.user_id} = ${userId} DESC`, personas.id);
}

/** Something of a user's own by what it is called, and the bytes of what it says. */
export type Named = { id: string; name: string; length: number };

/** What a user's own personas or prompts are called, and how long they are. */
export async function selectNames(db: Database, userId: string, kind: Entry["kind"]): Promise<Named[]> {
  if (kind === "prompt") {
    return db.select({ id: prompts.id, name: prompts.name, length: prompts.length }).from(prompts).where(eq(prompts.user_id, userId));
  }
  const length = sql<number>`octet_length(${personas.content})`;
  return db.select({ id: personas.id, name: personas.name, length }).from(personas).where(eq(personas.user_id, userId));
}

/** What these of a user's own personas or prompts say. */
export async function selectContents(db: Database, userId: string, { kind, ids }: { kind: Entry["kind"]; ids: readonly string[] }) {
  const table = kind === "prompt" ? prompts : personas;
  return db
    .select({ id: table.id, name: table.name, content: table.content })
    .from(table)
    .where(and(eq(table.user_id, userId), sql`${table.id} IN ${listed(ids)}`));
}

export type NewPersona = { id: string; name: string; content: string };
export type NewPrompt = NewPersona & {
  steps: number;
  fields: number;
  length: number;
  beginning: string;
  tool_categories: string[] | null;
  persona_id: string | null;
  model_id: string | null;
  position: number;
};

/**
 * Stores personas and prompts of a user's own, all or none; each part is one parameter. The values stand in their tables' order.
 * False where there is no room.
 */
export async function insertAll(
  db: Database,
  { userId, at }: { userId: string; at: string },
  parts: { personas: readonly NewPersona[][]; prompts: readonly NewPrompt[][] },
): Promise<boolean> {
  const leader = parts.personas[0]?.[0]?.id ?? parts.prompts[0]?.[0]?.id;
  if (leader === undefined) return true;
  const isFirst = ([row]: readonly NewPersona[]) => row?.id === leader;
  const room = roomFor(userId, { personas: parts.personas.flat(), prompts: parts.prompts.flat() });
  // The first part asks for all of them; the others come where it came.
  const came = sql`EXISTS (SELECT 1 FROM ${parts.personas.length > 0 ? personas : prompts} f WHERE f.id = ${leader})`;
  const statements = [
    ...parts.personas.map((rows) =>
      db
        .insert(personas)
        .select(
          sql`
        SELECT value ->> 'id', ${userId}, NULL, value ->> 'name', value ->> 'content', NULL, 0, 0, 1, ${at}, ${at}, 1
        FROM json_each(${JSON.stringify(rows)}) WHERE ${isFirst(rows) ? room : came}`,
        )
        .returning({ id: personas.id }),
    ),
    ...parts.prompts.map((rows) =>
      db
        .insert(prompts)
        .select(
          sql`
        SELECT value ->> 'id', ${userId}, NULL, value ->> 'name', value ->> 'steps', value ->> 'fields',
          nullif(value -> 'tool_categories', 'null'), value ->> 'persona_id', value ->> 'model_id', NULL, value ->> 'position', ${at}, ${at},
          value ->> 'length', value ->> 'beginning', value ->> 'content', 0
        FROM json_each(${JSON.stringify(rows)}) WHERE ${isFirst(rows) ? room : came}`,
        )
        .returning({ id: prompts.id }),
    ),
  ];
  const [first, ...rest] = statements;
  if (!first) return true;
  const [stored] = await db.batch([first, ...rest]);
  return stored.length > 0;
}

/** True, in SQL, where a user has room for all of these. */
function roomFor(userId: string, added: { personas: readonly NewPersona[]; prompts: readonly NewPrompt[] }) {
  const bytes = added.prompts.reduce((sum, { length }) => sum + length, 0);
  const forPersonas = sql`(SELECT count(*) + ${added.personas.length} <= ${PERSONAS_MAX} FROM user_system_prompts h WHERE h.user_id = ${userId})`;
  return and(
    sql`1`,
    added.personas.length > 0 ? forPersonas : undefined,
    added.prompts.length > 0 ? hasRoom(userId, { count: added.prompts.length, bytes }) : undefined,
  );
}
