import * as z from "zod/mini";
import { ARTIFACT_PROBLEMS, bytesOf, previewOf, titleOfFile, UNTITLED_ARTIFACT, uploadProblem, withLineFeeds } from "#shared/artifacts.ts";
import {
  type Artifact,
  type ArtifactDetails,
  ArtifactReview,
  type ArtifactVersion,
  type ArtifactVersionDetails,
} from "#shared/entities/artifact.ts";
import { ARTIFACT_BYTES, ARTIFACT_FILES_MAX, ARTIFACTS_MAX } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countInHour } from "#worker/platform/http/rate-limit.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { forgetArtifact } from "#worker/library/knowledge-artifacts/knowledge-artifacts.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import { artifactFolder, dropBodies, pictureKey, readBody, storeBody } from "./bodies.ts";
import {
  deleteArtifactRow,
  type FileRow,
  insertArtifact,
  insertCopiedFile,
  selectFiles,
  selectHistory,
  selectNamedVersion,
  selectReview,
  toVersion,
  updateTitle,
  upsertMark,
} from "./queries.ts";
import { findAccessibleArtifacts, isArtifact, readReaderIds, requireArtifact, requireArtifactRight } from "./access/access.ts";
import { type Author, saveArtifact } from "./save.ts";
import { reportArtifactStorage, refuseBeyondStorage } from "./storage.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";

/** Copies of artifacts, which stand for themselves: their pictures are copied too. */

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const LINK = new RegExp(`/api/artifacts/(${UUID})/files/(${UUID})`, "g");
/** Pictures copied at once; a Worker has six connections. */
const AT_ONCE = 4;

type Picture = { from: FileRow; id: string };
/** A text whose pictures are the copy's own, and those pictures, which `copyPictures` brings. */
type CopiedText = { content: string; pictures: Picture[]; bytes: number };

/** The text of a copy: links to pictures that its maker may see lead to the copy's own. The same for the same text and copy. */
async function copyText(db: Database, { userId, copyId, content }: { userId: string; copyId: string; content: string }) {
  const named = new Map<string, string>();
  for (const [, artifactId = "", fileId = ""] of content.matchAll(LINK)) {
    if (artifactId !== copyId && named.size < ARTIFACT_FILES_MAX) named.set(fileId, artifactId);
  }
  const accessible = await findAccessibleArtifacts(db, userId, [...new Set(named.values())]);
  const readable = new Set(accessible.map(({ row }) => row.id));
  const files = (await selectFiles(db, [...named.keys()])).filter(({ id, artifact_id: of }) => named.get(id) === of && readable.has(of));
  const pictures = await Promise.all(
    files.map(async (from): Promise<Picture> => ({ from, id: await uuidOfName(JSON.stringify(["picture", copyId, from.id])) })),
  );
  const byLink = new Map(pictures.map(({ from, id }) => [linkOf(from.artifact_id, from.id), linkOf(copyId, id)]));
  return {
    content: content.replaceAll(LINK, (link) => byLink.get(link) ?? link),
    pictures,
    bytes: pictures.reduce((sum, { from }) => sum + from.size, 0),
  } satisfies CopiedText;
}

/** Brings a copy's pictures; those that are there already stay, and one whose bytes are gone is left out. */
async function copyPictures(
  env: Env,
  db: Database,
  { userId, copyId, pictures }: { userId: string; copyId: string; pictures: readonly Picture[] },
): Promise<void> {
  for (let next = 0; next < pictures.length; next += AT_ONCE) {
    await Promise.all(pictures.slice(next, next + AT_ONCE).map((picture) => copyPicture(env, db, { userId, copyId, picture })));
  }
}

async function copyPicture(env: Env, db: Database, { userId, copyId, picture }: { userId: string; copyId: string; picture: Picture }) {
  const { from, id } = picture;
  const key = pictureKey(copyId, id);
  if ((await env.FILES.head(key)) === null) {
    const source = await env.FILES.get(pictureKey(from.artifact_id, from.id));
    if (!source) return;
    await env.FILES.put(key, source.body, { httpMetadata: { contentType: from.type } });
  }
  await insertCopiedFile(db, { ...from, id, artifact_id: copyId, user_id: userId, created_at: new Date().toISOString() });
}

function linkOf(artifactId: string, fileId: string): string {
  return `/api/artifacts/${artifactId}/files/${fileId}`;
}

/** The job comes this much later, in seconds, so it finds what was on its way to the artifact as it was deleted. */
const SWEEP_SECONDS = 30;
/** Readers that are notified at once of a deletion. */
const NOTIFIED_READERS_MAX = 500;

type NewArtifact = { id?: string | undefined; title: string; content: string };

/** Makes an artifact. Throws CONFLICT for an id that is taken, INVALID_INPUT for a text that is too long and at the limit, STORAGE_FULL, RATE_LIMITED. */
export async function makeArtifact(
  env: Env,
  db: Database,
  author: Author,
  { id = crypto.randomUUID(), title, content: given }: NewArtifact,
): Promise<Artifact> {
  const { userId, model } = author;
  const content = withLineFeeds(given);
  const size = bytesOf(content);
  if (size > ARTIFACT_BYTES) throw new AppError("INVALID_INPUT", { message: ARTIFACT_PROBLEMS.long });
  if (await isArtifact(db, id)) throw new AppError("CONFLICT", { message: "An artifact of this id exists already." });
  await refuseBeyondStorage(env, { ownerId: userId, userId, bytes: size });
  await countInHour(env, "artifacts", { userId, anonymous: false });
  const body = await storeBody(env, id, content);
  const at = new Date().toISOString();
  const row = {
    id,
    user_id: userId,
    title: title.trim() || UNTITLED_ARTIFACT,
    preview: previewOf(content),
    body,
    size,
    created_at: at,
    updated_at: at,
  };
  const isMade = await insertArtifact(db, row, {
    kind: model ? "model" : "create",
    author_id: userId,
    model_id: model?.modelId ?? null,
    chat_id: model?.chatId ?? null,
    message_id: model?.messageId ?? null,
    restored_from: null,
  });
  if (!isMade) {
    await dropBodies(env, id, [body]);
    if (await isArtifact(db, id)) throw new AppError("CONFLICT", { message: "An artifact of this id exists already." });
    throw new AppError("INVALID_INPUT", { message: `You have ${ARTIFACTS_MAX.toLocaleString("en")} artifacts already.` });
  }
  await reportArtifactStorage(env, db, userId);
  return (await requireArtifact(db, userId, id)).shown;
}

type Copy = { id: string; from: string; title?: string | undefined };

/**
 * Makes a copy of an artifact that its author may read, with its pictures; one that was begun before is completed. Throws NOT_FOUND,
 * INVALID_INPUT, STORAGE_FULL.
 */
export async function copyArtifact(env: Env, db: Database, author: Author, { id, from, title }: Copy): Promise<Artifact> {
  const { userId } = author;
  const accessible = await findAccessibleArtifacts(db, userId, [id, from]);
  const known = accessible.find(({ row }) => row.id === id);
  // What was begun stays as it is where the original is gone by now.
  if (known && !accessible.some(({ row }) => row.id === from)) return known.shown;
  const original = await readArtifact(env, db, userId, from);
  const { content, pictures, bytes } = await copyText(db, { userId, copyId: id, content: original.content });
  const createCopy = async () => {
    if (!known) await makeArtifact(env, db, author, { id, title: title || `${original.title} (copy)`, content });
    if (pictures.length === 0) return;
    await copyPictures(env, db, { userId, copyId: id, pictures });
    await reportArtifactStorage(env, db, userId);
  };
  await (known ? createCopy() : withinStorage(env, { ownerId: userId, userId, id, bytes: bytes + bytesOf(content) }, createCopy));
  return (await requireArtifact(db, userId, id)).shown;
}

/** Makes an artifact of a file. Throws INVALID_INPUT for one of another kind, PAYLOAD_TOO_LARGE for one above 1 MB. */
export async function uploadFile(env: Env, db: Database, userId: string, file: { filename: string; content: string }): Promise<Artifact> {
  const { filename, content } = file;
  const problem = uploadProblem({ name: filename, size: bytesOf(content) });
  if (problem !== null)
    throw new AppError(problem === ARTIFACT_PROBLEMS.large ? "PAYLOAD_TOO_LARGE" : "INVALID_INPUT", { message: problem });
  return makeArtifact(env, db, { userId }, { title: titleOfFile(filename), content });
}

/** An artifact with its text. Throws NOT_FOUND. */
export async function readArtifact(env: Env, db: Database, userId: string, id: string): Promise<ArtifactDetails> {
  const [{ row, shown }, review] = await Promise.all([requireArtifact(db, userId, id), selectReview(db, { id, userId })]);
  return { ...shown, content: await readBody(env, id, row.body), review: review === null ? null : toReview(review) };
}

/** A review that was kept before its places were bounded may be none any more. */
function toReview(json: string): ArtifactReview | null {
  return ArtifactReview.safeParse(JSON.parse(json)).data ?? null;
}

type Change = {
  title?: string | undefined;
  is_pinned?: boolean | undefined;
  reviewed_version?: number | undefined;
  review?: ArtifactReview | undefined;
};

/** Renames an artifact, which its writers may, or sets its reader's own marks. Throws NOT_FOUND, FORBIDDEN, INVALID_INPUT for a review of versions that are not there. */
export async function changeArtifact(db: Database, userId: string, id: string, change: Change): Promise<Artifact> {
  const { title, is_pinned: isPinned, reviewed_version: reviewed, review } = change;
  const { row, shown } = title === undefined ? await requireArtifact(db, userId, id) : await requireArtifactRight(db, userId, id, "edit");
  if (review && Math.max(review.version, review.before, review.base) > row.version)
    throw new AppError("INVALID_INPUT", { message: "This artifact has no such version." });
  const named = title === undefined ? row.title : title.trim() || UNTITLED_ARTIFACT;
  if (named !== row.title) await updateTitle(db, id, { title: named, at: new Date().toISOString() });
  if (isPinned !== undefined) await upsertMark(db, { id, userId }, { is_pinned: isPinned });
  const latest = reviewed === undefined ? 0 : Math.min(reviewed, row.version);
  if (latest > (shown.reviewed_version ?? 0)) await upsertMark(db, { id, userId }, { reviewed_version: latest });
  if (review !== undefined) await upsertMark(db, { id, userId }, { review: JSON.stringify(review) });
  return (await requireArtifact(db, userId, id)).shown;
}

/** Notes which version a reader looked at last. Throws NOT_FOUND. */
export async function noteOpened(db: Database, userId: string, id: string, version: number): Promise<void> {
  const { row, shown } = await requireArtifact(db, userId, id);
  // A tab that hangs behind takes nothing back.
  const seen = Math.max(shown.seen_version ?? 0, Math.min(version, row.version));
  if (shown.seen_version !== seen) await upsertMark(db, { id, userId }, { seen_version: seen });
}

type Page = { before?: number | undefined; limit: number };

/** A page of an artifact's history. Throws NOT_FOUND. */
export async function readHistory(
  db: Database,
  userId: string,
  id: string,
  { before, limit }: Page,
): Promise<{ versions: ArtifactVersion[]; nextBefore: number | null }> {
  await requireArtifact(db, userId, id);
  const rows = await selectHistory(db, id, { before, limit: limit + 1 });
  const versions = rows.slice(0, limit).map(({ version, author }) => toVersion(version, author, userId));
  return { versions, nextBefore: rows.length > limit ? (versions.at(-1)?.version ?? null) : null };
}

/** One version with its text; `nearest` takes the closest one that is kept. Throws NOT_FOUND. */
export async function readVersion(
  env: Env,
  db: Database,
  userId: string,
  { id, version, nearest }: { id: string; version: number; nearest: boolean },
): Promise<ArtifactVersionDetails> {
  await requireArtifact(db, userId, id);
  const found = await selectNamedVersion(db, id, { version, nearest });
  if (!found) throw new AppError("NOT_FOUND");
  return { ...toVersion(found.version, found.author, userId), content: await readBody(env, id, found.version.body) };
}

/** Gives an artifact an earlier version's text. Throws NOT_FOUND, FORBIDDEN. */
export async function restoreVersion(
  env: Env,
  db: Database,
  author: Author,
  { id, version }: { id: string; version: number },
): Promise<{ artifact: ArtifactDetails; isNew: boolean }> {
  const { row } = await requireArtifactRight(db, author.userId, id, "edit");
  const { content } = await readVersion(env, db, author.userId, { id, version, nearest: false });
  const saved = await saveArtifact(env, db, author, id, { content, base: row.version, kind: "restore", restoredFrom: version });
  if (!saved.isSaved) throw new AppError("ARTIFACT_CONFLICT");
  return { artifact: await readArtifact(env, db, author.userId, id), isNew: saved.isNew };
}

/** Deletes an artifact with all that R2 has of it, and answers who could read it. Throws NOT_FOUND, FORBIDDEN. */
export async function removeArtifact(env: Env, db: Database, userId: string, id: string): Promise<string[]> {
  const { row } = await requireArtifactRight(db, userId, id, "delete");
  const readerIds = await readReaderIds(db, id, { after: "", limit: NOTIFIED_READERS_MAX });
  await enqueue(env, purgeArtifactJob, { artifactId: id }, { delaySeconds: SWEEP_SECONDS });
  await deleteArtifactRow(db, id);
  await deleteFolder(env.FILES, artifactFolder(id));
  await reportArtifactStorage(env, db, row.user_id);
  return readerIds;
}

/** Deletes what was on its way to an artifact as it was deleted; one that is still there is left alone. */
export const purgeArtifactJob = job("artifacts.purge", z.object({ artifactId: z.string() }), async (env, { artifactId }) => {
  const db = openDatabase(env.DB);
  if (await isArtifact(db, artifactId)) return;
  await deleteFolder(env.FILES, artifactFolder(artifactId));
  await forgetArtifact(env, db, artifactId);
});
