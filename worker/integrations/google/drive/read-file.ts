/** Reading one file of a person's Drive into the index of its passages. */
import { fromBytes } from "#worker/library/attachments/readers/byte-source.ts";
import { DriveError, type DriveFile, findFile, startOfChanges } from "#worker/platform/clients/google/drive.ts";
import { release } from "#worker/platform/clients/read-all-bytes.ts";
import type { ClaimedFile, Settled } from "#worker/integrations/google/drive/drive-index/rpc.ts";
import type { Env } from "#worker/platform/env.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { indexChunks } from "#worker/library/passages/index-file.ts";
import type { ReadEnd, TextChunk } from "#worker/library/passages/passage.ts";
import { readTextChunks } from "#worker/library/passages/read-text-chunks.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import { planOf, skipReason, TOO_LARGE, versionOf } from "./reading-plan.ts";
import { withoutPictures } from "./strip-pictures.ts";
import { shardOf } from "./index-shards.ts";
import type { AskDrive } from "./open-drive.ts";

/** A file whose reading ended the Worker so often is left alone. */
export const TRIES = 2;
/** A file that Drive failed to give so often is left alone until the next run. */
const TROUBLES = 5;
/** While Drive gives nothing at all, so often. */
const OUTAGE_TROUBLES = 40;
/** Of one file so many characters are read, so no file takes the others' place. */
const FILE_LENGTH = 300_000;

const UNREADABLE = "This file could not be read.";
const FULL = "Your Drive's index is full: nothing of this file can be found.";
const MISSING = "The file is not in Google Drive any more.";

/** What is known of a file before its bytes are read. */
type Known = { name: string; mimeType: string; version: string; link: string | null; skip: string | null };

/** Whose Drive is read, and how it is asked. */
type Place = { env: Env; userId: string; drive: AskDrive };

/** With whether its reader still has the file: what another one wrote meanwhile is not its to remove. */
type Reading = Place & { isOwner: () => Promise<boolean> };

/** Reads a file, or forgets it, and answers how that ended. Throws `DriveNotConnected`, and `DriveError` of kind `busy`, `trouble` or `access`. */
export async function readDriveFile({ env, userId, drive, isOwner }: Reading, file: ClaimedFile): Promise<Settled> {
  const { id, version } = file;
  const index = indexOf(env, shardOf(userId, id));
  if (file.isDeleted) {
    if (!(await isOwner())) return { id, version, as: "later" };
    await index.remove(id);
    return { id, version, as: "forgotten" };
  }
  const withoutPassages = async (settled: Settled): Promise<Settled> => {
    if (file.indexedVersion === null && file.tries === 0) return settled;
    if (!(await isOwner())) return { id, version, as: "later" };
    await index.remove(id);
    return settled;
  };
  if (file.tries >= TRIES) return withoutPassages({ id, version, as: "failed", reason: UNREADABLE });
  try {
    const known = file.isTarget ? await lookUp(env, drive, file) : file;
    const settled = {
      id,
      version: known.version,
      ...(file.isTarget && { file: { name: known.name, mimeType: known.mimeType, link: known.link } }),
    };
    if (known.skip !== null) return await withoutPassages({ ...settled, as: "skipped", reason: known.skip });
    if (known.version === file.indexedVersion) return { ...settled, as: "indexed" };
    const read = await readContent({ env, userId, drive }, { file, known });
    if (read.as !== "failed") return { ...settled, ...read };
    return await withoutPassages({ ...settled, ...read });
  } catch (cause) {
    if (!(cause instanceof DriveError) || cause.kind === "busy" || cause.kind === "access") throw cause;
    if (cause.kind === "trouble" && (file.trouble + 1 < TROUBLES || (await isAway(env, drive, file)))) throw cause;
    const reason = cause.kind === "gone" ? MISSING : cause.message;
    return withoutPassages({ id, version, as: cause.kind === "gone" ? "skipped" : "failed", reason });
  }
}

/** True where Drive gives nothing else either, and so it is not the file; whoever waited through an outage of hours gets what there is. */
async function isAway(env: Env, drive: AskDrive, { trouble }: ClaimedFile): Promise<boolean> {
  if (trouble >= OUTAGE_TROUBLES) return false;
  try {
    await drive((token) => startOfChanges(env, token));
    return false;
  } catch (cause) {
    if (cause instanceof DriveError && cause.isPassing) return true;
    throw cause;
  }
}

async function lookUp(env: Env, drive: AskDrive, { id, resourceKey }: ClaimedFile): Promise<Known> {
  const found: DriveFile = await drive((token) => findFile(env, token, { id, resourceKey }));
  const { name, mimeType, webViewLink: link = null, trashed } = found;
  return { name, mimeType, version: versionOf(found), link, skip: trashed === true ? MISSING : skipReason(found) };
}

type Content = { as: "indexed" | "later" } | { as: "failed"; reason: string };

/** Puts what a file says into its index; answers why not, where nothing of it can be found. It is left alone where another reader writes it. */
async function readContent(
  { env, userId, drive }: Place,
  { file, known }: { file: ClaimedFile; known: Pick<Known, "name" | "mimeType"> },
): Promise<Content> {
  const failed = (reason: string) => ({ as: "failed" as const, reason });
  const plan = planOf(known);
  if (plan === null) return failed(UNREADABLE);
  const bytes = await fetchBytes(env, drive, { file, plan });
  if (bytes === null) return failed(TOO_LARGE);
  try {
    const place = { indexId: shardOf(userId, file.id), document: { id: file.id, name: known.name }, ownerId: userId, isOneOfMany: true };
    const chunks = readTextChunks(plan.format, fromBytes(bytes), env.ASSETS);
    const end = await indexChunks(env, place, limited(plan.type === null ? chunks : withoutPictures(chunks)));
    if (end.isOutdone) return { as: "later" };
    if (!end.ok) return failed(end.reason);
    return end.characters === 0 ? failed(FULL) : { as: "indexed" };
  } finally {
    release(bytes);
  }
}

async function* limited(chunks: AsyncGenerator<TextChunk, ReadEnd>): AsyncGenerator<TextChunk, ReadEnd> {
  let length = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return next.value;
    const text = next.value.text.slice(0, FILE_LENGTH - length);
    length += text.length;
    yield { ...next.value, text };
    if (length >= FILE_LENGTH) {
      const end: ReadEnd = { ok: true, pages: next.value.page ?? null, isComplete: false };
      await chunks.return(end);
      return end;
    }
  }
}
