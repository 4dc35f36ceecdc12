import { and, asc, desc, eq, inArray, isNull, lt, lte, ne, sql } from "drizzle-orm";
import type { ArtifactVersion } from "#shared/entities/artifact.ts";
import { ARTIFACT_FILES_MAX, ARTIFACTS_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { artifactFiles, artifactMarks, artifacts, artifactVersions } from "#worker/platform/db/schema/artifacts.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export type VersionRow = typeof artifactVersions.$inferSelect;
export type FileRow = typeof artifactFiles.$inferSelect;
type ArtifactRow = typeof artifacts.$inferSelect;

/** What a version is of, besides its text. */
export type Origin = Pick<VersionRow, "kind" | "author_id" | "model_id" | "chat_id" | "message_id" | "restored_from">;

/** Stores an artifact with its first version; false where its id is taken or its owner has no room. */
export async function insertArtifact(db: Database, row: Omit<ArtifactRow, "version" | "stored">, origin: Origin): Promise<boolean> {
  const { id, user_id, title, preview, body, size, created_at: at } = row;
  const own = sql`(SELECT count(*) FROM artifacts o WHERE o.user_id = ${user_id})`;
  const [made] = await db.batch([
    db
      .insert(artifacts)
      .select(sql`SELECT ${id}, ${user_id}, ${title}, ${preview}, 1, ${body}, ${size}, ${at}, ${at}, 0 WHERE ${own} < ${ARTIFACTS_MAX}`)
      .onConflictDoNothing()
      .returning({ id: artifacts.id }),
    db
      .insert(artifactVersions)
      .select(versionOf({ id, version: 1, body, size, at, begunAt: at, origin }, sql`a.body = ${body}`))
      .onConflictDoNothing(),
  ]);
  return made.length > 0;
}

type NewVersion = { id: string; version: number; body: string; size: number; at: string; begunAt: string; origin: Origin };

/** In the columns' order: a version where the artifact stands as `condition` says. */
function versionOf({ id, version, body, size, at, begunAt, origin }: NewVersion, condition: ReturnType<typeof sql>) {
  const { kind, author_id, model_id, chat_id, message_id, restored_from } = origin;
  return sql`SELECT a.id, ${version}, ${kind}, ${body}, ${size}, ${author_id}, ${model_id}, ${chat_id}, ${message_id}, ${restored_from},
      ${begunAt}, ${at}, NULL FROM artifacts a WHERE a.id = ${id} AND ${condition}`;
}

/**
 * Makes a text an artifact's next version where `base` still is the latest; false, and nothing changed, where another came first.
 * `replaces` says that it takes the latest one's place in the history.
 */
export async function insertVersion(db: Database, next: NewVersion & { preview: string; replaces: boolean }): Promise<boolean> {
  const { id, version, body, size, at, preview, replaces } = next;
  const base = version - 1;
  const isMine = sql`EXISTS (SELECT 1 FROM artifact_versions v WHERE v.artifact_id = ${id} AND v.version = ${version} AND v.body = ${body})`;
  const insert = db
    .insert(artifactVersions)
    .select(versionOf(next, sql`a.version = ${base}`))
    .onConflictDoNothing()
    .returning({ version: artifactVersions.version });
  const update = db
    .update(artifacts)
    .set({ version, body, size, preview, updated_at: at })
    .where(and(eq(artifacts.id, id), eq(artifacts.version, base), isMine));
  const replace = db
    .update(artifactVersions)
    .set({ replaced_at: at })
    .where(and(eq(artifactVersions.artifact_id, id), eq(artifactVersions.version, base), isMine));
  const [made] = await (replaces ? db.batch([insert, update, replace]) : db.batch([insert, update]));
  return made.length > 0;
}

/** One version, those that were replaced too. */
export async function selectVersion(db: Database, id: string, version: number): Promise<VersionRow | undefined> {
  return db
    .select()
    .from(artifactVersions)
    .where(and(eq(artifactVersions.artifact_id, id), eq(artifactVersions.version, version)))
    .get();
}

const NAMED = { version: artifactVersions, author: users.display_name };

/** A version of the history with its author's name; with `nearest` the last one up to it, else the first of all. */
export async function selectNamedVersion(db: Database, id: string, { version, nearest }: { version: number; nearest: boolean }) {
  const isOf = and(eq(artifactVersions.artifact_id, id), isNull(artifactVersions.replaced_at));
  const named = () => db.select(NAMED).from(artifactVersions).leftJoin(users, eq(users.id, artifactVersions.author_id)).$dynamic();
  if (!nearest) {
    return named()
      .where(and(eq(artifactVersions.artifact_id, id), eq(artifactVersions.version, version)))
      .get();
  }
  const before = named()
    .where(and(isOf, lte(artifactVersions.version, version)))
    .orderBy(desc(artifactVersions.version))
    .limit(1)
    .get();
  return (await before) ?? named().where(isOf).orderBy(asc(artifactVersions.version)).limit(1).get();
}

/** The history below a version, newest first. */
export async function selectHistory(db: Database, id: string, { before, limit }: { before: number | undefined; limit: number }) {
  return db
    .select(NAMED)
    .from(artifactVersions)
    .leftJoin(users, eq(users.id, artifactVersions.author_id))
    .where(
      and(
        eq(artifactVersions.artifact_id, id),
        isNull(artifactVersions.replaced_at),
        before === undefined ? undefined : lt(artifactVersions.version, before),
      ),
    )
    .orderBy(desc(artifactVersions.version))
    .limit(limit);
}

/** As the API says it; where a model wrote it is its reader's own business. */
export function toVersion(row: VersionRow, author: string | null, readerId: string): ArtifactVersion {
  const { version, kind, created_at, author_id, model_id, chat_id, message_id, restored_from, size } = row;
  const isOwn = author_id === readerId;
  return {
    version,
    kind,
    created_at,
    author_id: author === null ? null : author_id,
    author_name: author ?? "",
    model_id,
    chat_id: isOwn ? chat_id : null,
    message_id: isOwn ? message_id : null,
    restored_from,
    size,
  };
}

/** All versions of an artifact, newest first, as thinning looks at them. */
export async function selectForThinning(db: Database, id: string) {
  const { version, body, created_at, replaced_at } = artifactVersions;
  return db
    .select({ version, body, created_at, replaced_at })
    .from(artifactVersions)
    .where(eq(artifactVersions.artifact_id, id))
    .orderBy(desc(version));
}

export async function deleteVersions(db: Database, id: string, versions: readonly number[]): Promise<void> {
  const named = sql`(SELECT value FROM json_each(${JSON.stringify(versions)}))`;
  await db.delete(artifactVersions).where(and(eq(artifactVersions.artifact_id, id), inArray(artifactVersions.version, named)));
}

export async function updateTitle(db: Database, id: string, { title, at }: { title: string; at: string }): Promise<void> {
  await db
    .update(artifacts)
    .set({ title, updated_at: at })
    .where(and(eq(artifacts.id, id), ne(artifacts.title, title)));
}

export async function upsertMark(
  db: Database,
  { id, userId }: { id: string; userId: string },
  mark: { is_pinned?: boolean; seen_version?: number; reviewed_version?: number; review?: string },
): Promise<void> {
  await db
    .insert(artifactMarks)
    .values({ artifact_id: id, user_id: userId, ...mark })
    .onConflictDoUpdate({ target: [artifactMarks.artifact_id, artifactMarks.user_id], set: mark });
}

/** JSON of how far one reader's last review came; null before the first. */
export async function selectReview(db: Database, { id, userId }: { id: string; userId: string }): Promise<string | null> {
  const isTheirs = and(eq(artifactMarks.artifact_id, id), eq(artifactMarks.user_id, userId));
  return (await db.select({ review: artifactMarks.review }).from(artifactMarks).where(isTheirs).get())?.review ?? null;
}

/** Deletes an artifact with all that D1 has of it. */
export async function deleteArtifactRow(db: Database, id: string): Promise<void> {
  await db.delete(artifacts).where(eq(artifacts.id, id));
}

/** Ids of a person's own artifacts, some of them. */
export async function selectOwnIds(db: Database, userId: string, limit: number): Promise<string[]> {
  const rows = await db.select({ id: artifacts.id }).from(artifacts).where(eq(artifacts.user_id, userId)).limit(limit);
  return rows.map(({ id }) => id);
}

export async function sumStored(db: Database, userId: string): Promise<number> {
  const bytes = sql<number>`COALESCE(sum(${artifacts.stored}), 0)`;
  return (await db.select({ bytes }).from(artifacts).where(eq(artifacts.user_id, userId)).get())?.bytes ?? 0;
}

/** Pictures of these ids, of whichever artifacts. */
export async function selectFiles(db: Database, ids: readonly string[]): Promise<FileRow[]> {
  if (ids.length === 0) return [];
  const named = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return db.select().from(artifactFiles).where(inArray(artifactFiles.id, named));
}

/** Notes a copied picture where its artifact is there. */
export async function insertCopiedFile(
  db: Database,
  { id, artifact_id: of, user_id, name, type, size, created_at }: FileRow,
): Promise<void> {
  await db
    .insert(artifactFiles)
    .select(sql`SELECT ${id}, a.id, ${user_id}, ${name}, ${type}, ${size}, ${created_at} FROM artifacts a WHERE a.id = ${of}`)
    .onConflictDoNothing();
}

/** Notes a picture; undefined where its id is taken, or its artifact has no room. */
export async function insertFile(db: Database, file: FileRow): Promise<FileRow | undefined> {
  const { id, artifact_id, user_id, name, type, size, created_at } = file;
  const inArtifact = sql`(SELECT count(*) FROM artifact_files f WHERE f.artifact_id = ${artifact_id})`;
  return db
    .insert(artifactFiles)
    .select(
      sql`SELECT ${id}, a.id, ${user_id}, ${name}, ${type}, ${size}, ${created_at} FROM artifacts a
        WHERE a.id = ${artifact_id} AND ${inArtifact} < ${ARTIFACT_FILES_MAX}`,
    )
    .onConflictDoNothing()
    .returning()
    .get();
}

export async function selectFile(db: Database, artifactId: string, id: string): Promise<FileRow | undefined> {
  return db
    .select()
    .from(artifactFiles)
    .where(and(eq(artifactFiles.artifact_id, artifactId), eq(artifactFiles.id, id)))
    .get();
}
