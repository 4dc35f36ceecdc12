import { and, asc, eq, getTableColumns, isNull, lt, or, sql } from "drizzle-orm";
import { KNOWLEDGE_ARTIFACTS, KNOWLEDGE_FILES, KNOWLEDGE_MAX, TEAM_KNOWLEDGE_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { knowledgeDriveFolders } from "#worker/platform/db/schema/drive.ts";
import { knowledge, knowledgeArtifacts, knowledgeFiles } from "#worker/platform/db/schema/knowledge.ts";
import { teamMembers, teams } from "#worker/platform/db/schema/teams.ts";
import { isMembership, isUsable, membershipColumns, type MembershipRow } from "#worker/platform/db/team-content.ts";

export type KnowledgeRow = typeof knowledge.$inferSelect;

const { text_content: _text, ...described } = getTableColumns(knowledge);
const counted = {
  files_count: sql<number>`(SELECT count(*) FROM user_context_files f WHERE f.context_id = user_contexts.id)`,
};

/** An entry as its reader reaches it, in a list. */
export type ListedKnowledge = MembershipRow & { entry: Omit<KnowledgeRow, "text_content">; files_count: number };
/** An entry as its reader reaches it. */
export type AccessibleEntryRow = MembershipRow & { entry: KnowledgeRow };

function isAmong(ids: readonly string[]) {
  return sql`${knowledge.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

/** All knowledge that a user may use, without its texts: their own, and that of their teams. */
export async function selectKnowledge(db: Database, userId: string): Promise<ListedKnowledge[]> {
  return db
    .select({ entry: described, ...counted, ...membershipColumns })
    .from(knowledge)
    .leftJoin(teamMembers, isMembership(knowledge, userId))
    .leftJoin(teams, eq(teams.id, teamMembers.team_id))
    .where(isUsable(knowledge, userId));
}

/** Those of these entries that a user may use. */
export async function selectKnowledgeById(db: Database, userId: string, ids: readonly string[]): Promise<AccessibleEntryRow[]> {
  return db
    .select({ entry: knowledge, ...membershipColumns })
    .from(knowledge)
    .leftJoin(teamMembers, isMembership(knowledge, userId))
    .leftJoin(teams, eq(teams.id, teamMembers.team_id))
    .where(and(isAmong(ids), isUsable(knowledge, userId)));
}

/** Those of these entries that a user may use, without their texts. */
export async function selectDescribedById(
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<Omit<KnowledgeRow, "text_content">[]> {
  return db
    .select(described)
    .from(knowledge)
    .where(and(isAmong(ids), isUsable(knowledge, userId)));
}

/** An entry, whoever asks. */
export async function selectEntry(db: Database, id: string): Promise<KnowledgeRow | undefined> {
  return db.select().from(knowledge).where(eq(knowledge.id, id)).get();
}

export async function countOwn(db: Database, userId: string): Promise<number> {
  return db.$count(knowledge, eq(knowledge.user_id, userId));
}

export async function countTeamKnowledge(db: Database, teamId: string): Promise<number> {
  return db.$count(knowledge, eq(knowledge.team_id, teamId));
}

/** Asked, in SQL, by the statement that shares an entry, as several may come at once. */
function teamHasRoom(teamId: string | null | undefined) {
  if (typeof teamId !== "string") return undefined;
  return sql`(SELECT count(*) FROM user_contexts h WHERE h.team_id = ${teamId}) < ${TEAM_KNOWLEDGE_MAX}`;
}

/** Stores an entry; undefined where its id is taken, or where its creator or its team has no room. */
export async function insertKnowledge(db: Database, entry: KnowledgeRow): Promise<KnowledgeRow | undefined> {
  const own = sql`(SELECT count(*) FROM user_contexts h WHERE h.user_id = ${entry.user_id}) < ${KNOWLEDGE_MAX}`;
  const { id, user_id, team_id, name, is_untrusted, created_at, updated_at, beginning, text_content } = entry;
  // In the columns' order.
  return db
    .insert(knowledge)
    .select(
      sql`SELECT ${id}, ${user_id}, ${team_id}, ${name}, ${Number(is_untrusted)}, ${created_at}, ${updated_at}, ${beginning}, ${text_content}
        WHERE ${and(own, teamHasRoom(team_id))}`,
    )
    .onConflictDoNothing()
    .returning()
    .get();
}

type Change = Partial<Pick<KnowledgeRow, "name" | "text_content" | "beginning" | "team_id" | "is_untrusted" | "updated_at">>;

/** Changes an entry as it was read; undefined where it is gone or changed since, or its new team has no room. */
export async function updateKnowledgeRow(
  db: Database,
  { id, user_id: userId, updated_at: updatedAt }: Pick<KnowledgeRow, "id" | "user_id" | "updated_at">,
  change: Change,
): Promise<KnowledgeRow | undefined> {
  return db
    .update(knowledge)
    .set(change)
    .where(and(eq(knowledge.id, id), eq(knowledge.user_id, userId), eq(knowledge.updated_at, updatedAt), teamHasRoom(change.team_id)))
    .returning()
    .get();
}

/** Deletes an entry with what it holds. */
export async function deleteKnowledgeRow(db: Database, id: string): Promise<void> {
  await db.batch([
    db.delete(knowledgeFiles).where(eq(knowledgeFiles.context_id, id)),
    db.delete(knowledgeArtifacts).where(eq(knowledgeArtifacts.context_id, id)),
    db.delete(knowledge).where(eq(knowledge.id, id)),
  ]);
}

export type FileRow = typeof knowledgeFiles.$inferSelect;

/** What is known of a file before its bytes are here. */
export type NewFile = Pick<
  FileRow,
  "id" | "context_id" | "user_id" | "file_url" | "file_name" | "file_type" | "file_size" | "created_at" | "object_key" | "copied_from"
>;

const inOrder = [asc(knowledgeFiles.context_id), asc(knowledgeFiles.created_at), asc(knowledgeFiles.id)];

/** The first files of each of these entries. */
export async function selectFirstFiles(db: Database, entryIds: readonly string[], first: number): Promise<FileRow[]> {
  const numbered = sql`SELECT id, row_number() OVER (PARTITION BY context_id ORDER BY created_at, id) AS n
    FROM user_context_files WHERE context_id IN (SELECT value FROM json_each(${JSON.stringify(entryIds)}))`;
  return db
    .select()
    .from(knowledgeFiles)
    .where(sql`${knowledgeFiles.id} IN (SELECT id FROM (${numbered}) WHERE n <= ${first})`)
    .orderBy(...inOrder);
}

export async function selectFiles(db: Database, entryIds: readonly string[]): Promise<FileRow[]> {
  return db
    .select()
    .from(knowledgeFiles)
    .where(sql`${knowledgeFiles.context_id} IN (SELECT value FROM json_each(${JSON.stringify(entryIds)}))`)
    .orderBy(...inOrder);
}

/** A file, whoever asks. */
export async function selectFile(db: Database, { entryId, id }: { entryId: string; id: string }): Promise<FileRow | undefined> {
  return db
    .select()
    .from(knowledgeFiles)
    .where(and(eq(knowledgeFiles.id, id), eq(knowledgeFiles.context_id, entryId)))
    .get();
}

/** Notes a file whose bytes are on their way, again where they never came; undefined where the id is another file's, or its entry is gone or full. */
export async function insertFile(db: Database, file: NewFile): Promise<FileRow | undefined> {
  const { id, context_id, user_id, file_url, file_name, file_type, file_size, created_at, object_key, copied_from } = file;
  const room = sql`(SELECT count(*) FROM user_context_files h WHERE h.context_id = ${context_id} AND h.id <> ${id}) < ${KNOWLEDGE_FILES}`;
  // In the columns' order.
  return db
    .insert(knowledgeFiles)
    .select(
      sql`SELECT ${id}, c.id, ${user_id}, ${file_url}, ${file_name}, ${file_type}, ${file_size}, ${created_at}, 'upload',
          NULL, NULL, NULL, NULL, 'pending', ${object_key}, 0, ${copied_from}, NULL, 0, NULL, NULL, NULL, NULL, NULL
        FROM user_contexts c WHERE c.id = ${context_id} AND ${room}`,
    )
    .onConflictDoUpdate({
      target: knowledgeFiles.id,
      set: { file_name },
      setWhere: and(eq(knowledgeFiles.context_id, context_id), eq(knowledgeFiles.is_stored, false)),
    })
    .returning()
    .get();
}

/** Changes a file that still is what `as` says; undefined where it is not. */
export async function updateFile(
  db: Database,
  id: string,
  { as, change }: { as: Partial<Pick<FileRow, "object_key" | "reading" | "reading_since" | "sync_status">>; change: Partial<FileRow> },
): Promise<FileRow | undefined> {
  return db
    .update(knowledgeFiles)
    .set(change)
    .where(
      and(
        eq(knowledgeFiles.id, id),
        as.object_key === undefined ? undefined : eq(knowledgeFiles.object_key, as.object_key),
        as.sync_status === undefined ? undefined : eq(knowledgeFiles.sync_status, as.sync_status),
        typeof as.reading === "string" ? eq(knowledgeFiles.reading, as.reading) : undefined,
        typeof as.reading_since === "string" ? eq(knowledgeFiles.reading_since, as.reading_since) : undefined,
      ),
    )
    .returning()
    .get();
}

/** The bytes of a file are here, under `key`; undefined where another upload of it was first, or it was removed. */
export async function markArrived(
  db: Database,
  { id, key }: { id: string; key: string },
  change: Pick<FileRow, "file_size" | "file_type">,
): Promise<FileRow | undefined> {
  return db
    .update(knowledgeFiles)
    .set({ ...change, object_key: key, is_stored: true })
    .where(and(eq(knowledgeFiles.id, id), eq(knowledgeFiles.is_stored, false)))
    .returning()
    .get();
}

/** Takes up a file that has been pending since before `lost`, so nobody else does; undefined where it is not. */
export async function claimFile(
  db: Database,
  { id, context_id: entryId }: Pick<FileRow, "id" | "context_id">,
  { at, lost }: { at: string; lost: string },
): Promise<FileRow | undefined> {
  return db
    .update(knowledgeFiles)
    .set({ reading_since: at })
    .where(
      and(
        eq(knowledgeFiles.id, id),
        eq(knowledgeFiles.context_id, entryId),
        eq(knowledgeFiles.sync_status, "pending"),
        lt(sinceWhen, lost),
      ),
    )
    .returning()
    .get();
}

/** Since when a file is pending. */
const sinceWhen = sql<string>`coalesce(${knowledgeFiles.reading_since}, ${knowledgeFiles.created_at})`;

/** Files of before `cutoff` whose upload never ended, oldest first; those of Drive are no uploads. */
export async function selectMissingUploads(db: Database, cutoff: string, limit: number): Promise<FileRow[]> {
  return (
    db
      .select()
      .from(knowledgeFiles)
      // As its index has it.
      .where(
        and(
          sql`is_stored = 0`,
          eq(knowledgeFiles.file_source, "upload"),
          isNull(knowledgeFiles.copied_from),
          lt(knowledgeFiles.created_at, cutoff),
        ),
      )
      .orderBy(asc(knowledgeFiles.created_at))
      .limit(limit)
  );
}

/** Deletes a file's row; with `key` only while its bytes are expected there. */
export async function deleteFileRow(db: Database, id: string, key?: string): Promise<void> {
  const isExpected = key === undefined ? undefined : and(eq(knowledgeFiles.object_key, key), eq(knowledgeFiles.is_stored, false));
  await db.delete(knowledgeFiles).where(and(eq(knowledgeFiles.id, id), isExpected));
}

export async function sumFiles(db: Database, userId: string): Promise<number> {
  const bytes = sql<number>`coalesce(sum(${knowledgeFiles.file_size}), 0)`;
  const own = sql`${knowledgeFiles.context_id} IN (SELECT c.id FROM user_contexts c WHERE c.user_id = ${userId})`;
  return (await db.select({ bytes }).from(knowledgeFiles).where(own).get())?.bytes ?? 0;
}

/** A copy of the file `from`, whose bytes are still to be copied. */
export type CopiedFile = Pick<FileRow, "id" | "file_url" | "object_key" | "created_at"> & { from: string };

/** Stores a copy of an entry with its files, or nothing; false where its id is taken, or its owner has no room. */
export async function insertCopy(db: Database, copy: KnowledgeRow, files: readonly CopiedFile[]): Promise<boolean> {
  const { id, user_id: userId, name, created_at: at, beginning, text_content: text } = copy;
  const own = sql`(SELECT count(*) FROM user_contexts h WHERE h.user_id = ${userId}) < ${KNOWLEDGE_MAX}`;
  // In the columns' order, both.
  const [made] = await db.batch([
    db
      .insert(knowledge)
      .select(sql`SELECT ${id}, ${userId}, NULL, ${name}, 1, ${at}, ${at}, ${beginning}, ${text} WHERE ${own}`)
      .onConflictDoNothing()
      .returning({ id: knowledge.id }),
    db.insert(knowledgeFiles).select(
      sql`SELECT m.value ->> 'id', c.id, c.user_id, m.value ->> 'file_url', f.file_name, f.file_type, f.file_size, m.value ->> 'created_at',
          'upload', NULL, NULL, NULL, NULL, 'pending', m.value ->> 'object_key', 0, f.object_key, NULL, 0, NULL, NULL, NULL,
          c.created_at, NULL
        FROM json_each(${JSON.stringify(files)}) AS m JOIN user_context_files f ON f.id = m.value ->> 'from'
        JOIN user_contexts c ON c.id = ${id} AND c.user_id = ${userId}
        WHERE NOT EXISTS (SELECT 1 FROM user_context_files h WHERE h.context_id = c.id) AND c.created_at = ${at}`,
    ),
  ]);
  return made.length > 0;
}

export type EntryArtifactRow = typeof knowledgeArtifacts.$inferSelect;
type EntryArtifactKey = { entryId: string; artifactId: string };

function isNamed({ entryId, artifactId }: EntryArtifactKey) {
  return and(eq(knowledgeArtifacts.context_id, entryId), eq(knowledgeArtifacts.artifact_id, artifactId));
}

/** Makes an artifact part of an entry; false where the entry is gone or full. One that is part of it stays as it is. */
export async function insertEntryArtifact(db: Database, { entryId, artifactId }: EntryArtifactKey, at: string): Promise<boolean> {
  const others = sql`(SELECT count(*) FROM user_context_artifacts h WHERE h.context_id = ${entryId} AND h.artifact_id <> ${artifactId})`;
  const made = await db
    .insert(knowledgeArtifacts)
    .select(
      sql`SELECT c.id, ${artifactId}, ${at}, NULL, ${at} FROM user_contexts c WHERE c.id = ${entryId} AND ${others} < ${KNOWLEDGE_ARTIFACTS}`,
    )
    .onConflictDoUpdate({
      target: [knowledgeArtifacts.context_id, knowledgeArtifacts.artifact_id],
      set: { artifact_id: artifactId },
    })
    .returning({ id: knowledgeArtifacts.artifact_id });
  return made.length > 0;
}

export async function selectEntryArtifact(db: Database, name: EntryArtifactKey): Promise<EntryArtifactRow | undefined> {
  return db.select().from(knowledgeArtifacts).where(isNamed(name)).get();
}

/** The artifacts of these entries, in the order in which they were added. */
export async function selectEntryArtifacts(db: Database, entryIds: readonly string[]): Promise<EntryArtifactRow[]> {
  return db
    .select()
    .from(knowledgeArtifacts)
    .where(sql`${knowledgeArtifacts.context_id} IN (SELECT value FROM json_each(${JSON.stringify(entryIds)}))`)
    .orderBy(asc(knowledgeArtifacts.context_id), asc(knowledgeArtifacts.created_at), asc(knowledgeArtifacts.artifact_id));
}

/** Takes up an entry's artifact that no job is about to read, so nobody else does; false where it is not so. */
export async function claimEntryArtifact(
  db: Database,
  { entryId, artifactId, version }: EntryArtifactKey & { version: number },
  { at, lost }: { at: string; lost: string },
): Promise<boolean> {
  const { stale_since: stale, indexed_version: indexed } = knowledgeArtifacts;
  const isLost = or(lt(stale, lost), and(isNull(stale), sql`${indexed} IS NOT ${version}`));
  const taken = await db
    .update(knowledgeArtifacts)
    .set({ stale_since: at })
    .where(and(isNamed({ entryId, artifactId }), isLost))
    .returning({ id: knowledgeArtifacts.artifact_id });
  return taken.length > 0;
}

/** Changes what is known of an artifact in an entry's index. */
export async function updateEntryArtifact(
  db: Database,
  name: EntryArtifactKey,
  change: Partial<Pick<EntryArtifactRow, "indexed_version" | "stale_since">>,
): Promise<void> {
  await db.update(knowledgeArtifacts).set(change).where(isNamed(name));
}

/** Ends an entry's following of a folder of Drive; the files that came by it stay. */
export async function deleteDriveFolder(db: Database, { entryId, folderId }: { entryId: string; folderId: string }): Promise<void> {
  const isFolder = and(eq(knowledgeDriveFolders.context_id, entryId), eq(knowledgeDriveFolders.folder_id, folderId));
  await db.delete(knowledgeDriveFolders).where(isFolder);
}
