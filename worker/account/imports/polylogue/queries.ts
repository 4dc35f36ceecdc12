import { and, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { Preferences } from "#shared/contracts/account/preferences.ts";
import { ARTIFACTS_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { artifactFiles, artifactMarks, artifacts, artifactVersions } from "#worker/platform/db/schema/artifacts.ts";
import { knowledge, knowledgeArtifacts, knowledgeFiles } from "#worker/platform/db/schema/knowledge.ts";
import { personas, personaVersions } from "#worker/platform/db/schema/personas.ts";
import { prompts, promptUses } from "#worker/platform/db/schema/prompts.ts";
import { users } from "#worker/platform/db/schema/users.ts";

const TABLES = { persona: personas, prompt: prompts, knowledge, artifact: artifacts } as const;
/** What an account has of its own, under ids of its own. */
export type OwnKind = keyof typeof TABLES;

export async function selectOwnIds(db: Database, userId: string, kind: OwnKind): Promise<Set<string>> {
  const table = TABLES[kind];
  const rows = await db.select({ id: table.id }).from(table).where(eq(table.user_id, userId));
  return new Set(rows.map(({ id }) => id));
}

/** Rows as one parameter. */
const rowsOf = (rows: readonly object[]) => sql`json_each(${JSON.stringify(rows)})`;

export type ImportedPersona = { id: string; name: string; content: string; created_at: string; updated_at: string; version: number };
export type ImportedPersonaVersion = { persona_id: string; version: number; name: string; content: string; created_at: string };

/** Stores personas that are not there yet, as texts that came from a file, and what they said before; answers the ids that are new. */
export async function insertPersonas(
  db: Database,
  userId: string,
  { rows, versions }: { rows: readonly ImportedPersona[]; versions: readonly ImportedPersonaVersion[] },
): Promise<Set<string>> {
  const [made] = await db.batch([
    db
      .insert(personas)
      .select(
        sql`SELECT value ->> 'id', ${userId}, NULL, value ->> 'name', value ->> 'content', NULL, 0, 0, value ->> 'version',
          value ->> 'created_at', value ->> 'updated_at', 1 FROM ${rowsOf(rows)} WHERE 1`,
      )
      .onConflictDoNothing()
      .returning({ id: personas.id }),
    db
      .insert(personaVersions)
      .select(
        sql`SELECT value ->> 'persona_id', value ->> 'version', value ->> 'name', value ->> 'content', NULL, value ->> 'created_at', 1
          FROM ${rowsOf(versions)} WHERE EXISTS (SELECT 1 FROM user_system_prompts p WHERE p.id = value ->> 'persona_id' AND p.user_id = ${userId})`,
      )
      .onConflictDoNothing(),
  ]);
  return new Set(made.map(({ id }) => id));
}

/** Gives a persona that came from elsewhere, and that its owner did not change, a text that is newer than its own. */
export async function updateImportedPersona(
  db: Database,
  userId: string,
  { id, content, updated_at }: Pick<ImportedPersona, "id" | "content" | "updated_at">,
): Promise<void> {
  const isOlder = and(eq(personas.is_untrusted, true), lt(personas.updated_at, updated_at));
  await db
    .update(personas)
    .set({ content, updated_at })
    .where(and(eq(personas.id, id), eq(personas.user_id, userId), isOlder));
}

export type ImportedPrompt = {
  id: string;
  name: string;
  steps: number;
  fields: number;
  tool_categories: string[] | null;
  persona_id: string | null;
  model_id: string | null;
  context_ids: string[] | null;
  position: number;
  created_at: string;
  updated_at: string;
  length: number;
  beginning: string;
  content: string;
  uses: number;
  last_used_at: string | null;
};

/** Stores prompts that are not there yet, and how often they were used; answers the ids that are new. */
export async function insertPrompts(db: Database, userId: string, rows: readonly ImportedPrompt[]): Promise<Set<string>> {
  const used = rows.flatMap(({ id, uses, last_used_at: at }) => (uses > 0 && at !== null ? [{ id, uses, at }] : []));
  const [made] = await db.batch([
    db
      .insert(prompts)
      .select(
        sql`SELECT value ->> 'id', ${userId}, NULL, value ->> 'name', value ->> 'steps', value ->> 'fields',
          nullif(value -> 'tool_categories', 'null'), value ->> 'persona_id', value ->> 'model_id', nullif(value -> 'context_ids', 'null'),
          value ->> 'position', value ->> 'created_at', value ->> 'updated_at', value ->> 'length', value ->> 'beginning', value ->> 'content', 0
          FROM ${rowsOf(rows)} WHERE 1`,
      )
      .onConflictDoNothing()
      .returning({ id: prompts.id }),
    db
      .insert(promptUses)
      .select(
        sql`SELECT ${userId}, value ->> 'id', value ->> 'uses', value ->> 'at' FROM ${rowsOf(used)}
          WHERE EXISTS (SELECT 1 FROM template_messages t WHERE t.id = value ->> 'id' AND t.user_id = ${userId})`,
      )
      .onConflictDoNothing(),
  ]);
  return new Set(made.map(({ id }) => id));
}

type ImportedEntry = {
  id: string;
  created_at: string;
  updated_at: string;
  artifactIds: readonly string[];
  files: readonly { id: string; created_at: string }[];
};

/** Gives a knowledge entry of the user's own and its files their times, and the entry the artifacts that it holds. */
export async function completeEntry(
  db: Database,
  userId: string,
  { id, created_at, updated_at, artifactIds, files }: ImportedEntry,
): Promise<void> {
  const times = rowsOf(files);
  await db.batch([
    db
      .update(knowledgeFiles)
      .set({ created_at: sql`(SELECT value ->> 'created_at' FROM ${times} WHERE value ->> 'id' = ${knowledgeFiles.id})` })
      .where(and(eq(knowledgeFiles.context_id, id), sql`${knowledgeFiles.id} IN (SELECT value ->> 'id' FROM ${times})`)),
    db
      .update(knowledge)
      .set({ created_at, updated_at })
      .where(and(eq(knowledge.id, id), eq(knowledge.user_id, userId))),
    db
      .insert(knowledgeArtifacts)
      .select(sql`SELECT ${id}, value, ${updated_at}, NULL, ${updated_at} FROM json_each(${JSON.stringify(artifactIds)}) WHERE 1`)
      .onConflictDoNothing(),
  ]);
}

export type ImportedArtifact = {
  id: string;
  title: string;
  preview: string;
  version: number;
  body: string;
  size: number;
  created_at: string;
  updated_at: string;
  isPinned: boolean;
};
export type ImportedArtifactVersion = {
  version: number;
  kind: string;
  body: string;
  size: number;
  model_id: string | null;
  restored_from: number | null;
  created_at: string;
};

/** Stores an artifact with its history, all or nothing; false where it is there already, or its owner has no room. */
export async function insertArtifactWithHistory(
  db: Database,
  userId: string,
  { artifact, versions }: { artifact: ImportedArtifact; versions: readonly ImportedArtifactVersion[] },
): Promise<boolean> {
  const { id, title, preview, version, body, size, created_at, updated_at, isPinned } = artifact;
  const own = sql`(SELECT count(*) FROM artifacts o WHERE o.user_id = ${userId})`;
  const isMine = sql`EXISTS (SELECT 1 FROM artifacts a WHERE a.id = ${id} AND a.body = ${body})`;
  const [made] = await db.batch([
    db
      .insert(artifacts)
      .select(
        sql`SELECT ${id}, ${userId}, ${title}, ${preview}, ${version}, ${body}, ${size}, ${created_at}, ${updated_at}, 0 WHERE ${own} < ${ARTIFACTS_MAX}`,
      )
      .onConflictDoNothing()
      .returning({ id: artifacts.id }),
    db
      .insert(artifactVersions)
      .select(
        sql`SELECT ${id}, value ->> 'version', value ->> 'kind', value ->> 'body', value ->> 'size', ${userId}, value ->> 'model_id', NULL, NULL,
          value ->> 'restored_from', value ->> 'created_at', value ->> 'created_at', NULL FROM ${rowsOf(versions)} WHERE ${isMine}`,
      )
      .onConflictDoNothing(),
    db
      .insert(artifactMarks)
      .select(sql`SELECT ${id}, ${userId}, ${isPinned ? 1 : 0}, ${version}, NULL, NULL WHERE ${isMine}`)
      .onConflictDoNothing(),
  ]);
  return made.length > 0;
}

/** Notes a picture of an artifact of the user's own. */
export async function insertPicture(
  db: Database,
  { userId, ...file }: { userId: string; id: string; artifact_id: string; name: string; type: string; size: number; created_at: string },
): Promise<void> {
  await db
    .insert(artifactFiles)
    .values({ ...file, user_id: userId })
    .onConflictDoNothing();
}

/** Replaces what tools new chats begin with. */
export async function replacePreferences(db: Database, userId: string, preferences: Preferences): Promise<void> {
  await db.update(users).set({ preferences }).where(eq(users.id, userId));
}

/** What everybody's settings begin with, by their columns. */
export const USER_DEFAULTS: Record<string, unknown> = Object.fromEntries(
  Object.entries(getTableColumns(users)).map(([name, column]) => [name, column.default ?? null]),
);
