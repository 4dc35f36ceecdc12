import { type Import, ImportCounts, ImportKind, type ImportNote } from "#shared/imports/import.ts";
import { reportText } from "#shared/imports/report.ts";
import { IMPORT_FILES_PER_HOUR, IMPORT_NOTES_SHOWN, IMPORT_PART_BYTES } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { streamToStorage, readBodyChunks } from "#worker/platform/clients/stream-body.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { openArchive } from "./archive.ts";
import { importStepJob } from "./import-job.ts";
import { folderOfImport, uploadKey } from "./keys.ts";
import {
  changeImport,
  findImport,
  type ImportRow,
  insertImport,
  upsertPart,
  selectForgotten,
  selectImports,
  selectNotes,
  selectParts,
} from "./queries.ts";
import { recognize } from "./sources.ts";

/** Imports that a person sees. */
const LISTED = 5;
/** All notes of an import that a report has. */
const NOTES_MAX = 60_000;
/** A step takes less than a minute, and is tried again for some: who has not moved for so many milliseconds never will. */
const LOST_MS = 20 * 60_000;
/** A file that nobody imports is kept for so many milliseconds. */
const UPLOAD_RETENTION_MS = 24 * 60 * 60_000;
const PAGE = 100;
/** How often, and after how many milliseconds, it is looked whether another request has put a file together. */
const POLLS_MAX = 20;
const POLL_INTERVAL_MS = 100;

const UNDER_WAY = ["uploading", "ready", "reading", "importing"] as const;
const UNKNOWN = "This is no export that can be imported: choose the ZIP that ChatGPT or Claude made, or the conversations.json in it.";
const DAMAGED = "This ZIP file is damaged or breaks off. Download the export again.";
const LOST = "The import stopped halfway. What came so far is kept.";
const FORGOTTEN = "The file was not imported within a day and was deleted.";

type Named = { userId: string; id: string };

/** Begins an upload. Throws CONFLICT while another import is under way, RATE_LIMITED. */
export async function beginImport(
  env: Env,
  db: Database,
  { userId, id, name, size }: Named & { name: string; size: number },
): Promise<Import> {
  const known = await findBegun(db, { userId, id, size });
  if (known) return toImport(db, known);
  await countOrRefuse(env, `import-files:${userId}`, hourly(IMPORT_FILES_PER_HOUR), "RATE_LIMITED");
  const { uploadId } = await env.FILES.createMultipartUpload(uploadKey({ user_id: userId, id }));
  const at = new Date().toISOString();
  const row = { id, user_id: userId, name: plainName(name), size, state: "uploading", upload_id: uploadId, has_file: true } as const;
  if (!(await insertImport(db, { ...row, created_at: at, updated_at: at }))) {
    await env.FILES.resumeMultipartUpload(uploadKey(row), uploadId).abort();
    // The same request may have come twice at once.
    const begun = await findBegun(db, { userId, id, size });
    if (begun) return toImport(db, begun);
    throw new AppError("CONFLICT", { message: "Another import is under way. Wait for its end, or cancel it." });
  }
  return toImport(db, await findOwnImport(db, { userId, id }));
}

async function findBegun(db: Database, { userId, id, size }: Named & { size: number }): Promise<ImportRow | undefined> {
  const known = await findImport(db, id);
  if (known && (known.user_id !== userId || known.size !== size)) throw new AppError("CONFLICT");
  return known;
}

/** Stores a part of an upload. Throws NOT_FOUND, CONFLICT where the upload is over, PAYLOAD_TOO_LARGE, INVALID_INPUT for a part of another length. */
export async function putPart(
  env: Env,
  db: Database,
  { userId, id, number, body }: Named & { number: number; body: ReadableStream<Uint8Array> | null },
): Promise<void> {
  const row = await findOwnImport(db, { userId, id });
  if (row.state !== "uploading" || row.upload_id === null) throw new AppError("CONFLICT", { message: "This upload is over." });
  const expected = Math.min(IMPORT_PART_BYTES, row.size - (number - 1) * IMPORT_PART_BYTES);
  if (expected <= 0) throw new AppError("INVALID_INPUT", { message: "The file has no such part." });
  const upload = env.FILES.resumeMultipartUpload(uploadKey(row), row.upload_id);
  const { etag } = await streamToStorage(readBodyChunks(body), expected, (sized) => upload.uploadPart(number, sized));
  await upsertPart(db, { import_id: id, number, etag });
  await changeImport(db, id, { from: ["uploading"], change: {} });
}

/** Puts the parts of an upload together and says whose export it is; one that is none has failed. Throws NOT_FOUND, INVALID_INPUT while parts are missing. */
export async function finishUpload(env: Env, db: Database, name: Named): Promise<Import> {
  const row = await findOwnImport(db, name);
  if (row.state !== "uploading" || row.upload_id === null) return toImport(db, row);
  const parts = await selectParts(db, row.id);
  if (parts.length < Math.ceil(row.size / IMPORT_PART_BYTES))
    throw new AppError("INVALID_INPUT", { message: "Parts of the file are missing." });
  await putTogether(
    env.FILES,
    row,
    parts.map(({ number, etag }) => ({ partNumber: number, etag })),
  );
  const archive = await openArchive(env.FILES, { key: uploadKey(row), size: row.size, name: row.name });
  const source = archive && (await recognize(archive));
  if (source) {
    const change = { state: "ready", source: source.id, upload_id: null } as const;
    return toImport(db, (await changeImport(db, row.id, { from: ["uploading"], change })) ?? (await findOwnImport(db, name)));
  }
  return toImport(db, await end(env, db, row, { state: "failed", error: archive ? UNKNOWN : DAMAGED }));
}

/** Of two requests at once one finds the file put together, or waits until the other has done so. */
async function putTogether(files: R2Bucket, row: ImportRow, parts: R2UploadedPart[]): Promise<void> {
  if (row.upload_id === null || (await files.head(uploadKey(row)))) return;
  try {
    await files.resumeMultipartUpload(uploadKey(row), row.upload_id).complete(parts);
  } catch (cause) {
    for (let look = 0; look < POLLS_MAX; look += 1) {
      if (await files.head(uploadKey(row))) return;
      await scheduler.wait(POLL_INTERVAL_MS);
    }
    throw new AppError("UPLOAD_BROKEN", { cause });
  }
}

/** Begins to import what was recognised, or goes on where it failed. Throws NOT_FOUND, CONFLICT. */
export async function startImport(env: Env, db: Database, name: Named): Promise<void> {
  const row = await findOwnImport(db, name);
  if (row.state === "reading" || row.state === "importing" || row.state === "done") return;
  if (!canStart(row)) throw new AppError("CONFLICT", { message: "This file is not here any more. Upload it again." });
  const change = { state: row.items === null ? "reading" : "importing", error: null, ended_at: null } as const;
  // Of two requests at once one begins it.
  if (await isBegun(db, row, change)) await enqueue(env, importStepJob, { importId: row.id });
}

async function isBegun(db: Database, row: ImportRow, change: Partial<ImportRow>): Promise<boolean> {
  try {
    return (await changeImport(db, row.id, { from: ["ready", "failed"], change })) !== undefined;
  } catch (cause) {
    throw new AppError("CONFLICT", { message: "Another import is under way. Wait for its end, or cancel it.", cause });
  }
}

function canStart({ state, has_file: hasFile, source }: ImportRow): boolean {
  return (state === "ready" || state === "failed") && hasFile && source !== null;
}

/** Ends an import; what came so far stays. Throws NOT_FOUND. */
export async function cancelImport(env: Env, db: Database, name: Named): Promise<void> {
  await end(env, db, await findOwnImport(db, name), { state: "cancelled" });
}

/** Ends an import that is not over and deletes what is stored of its file. */
async function end(env: Env, db: Database, row: ImportRow, change: Partial<ImportRow>): Promise<ImportRow> {
  const ended = { ...change, ended_at: new Date().toISOString(), upload_id: null };
  const changed = await changeImport(db, row.id, { from: UNDER_WAY, change: ended });
  await dropFile(env, db, row);
  return { ...(changed ?? row), has_file: false };
}

/** Deletes what is stored of an import's file. */
export async function dropFile(env: Env, db: Database, row: ImportRow): Promise<void> {
  // An upload that was put together, or that the storage dropped by itself, has no parts to give up.
  if (row.upload_id !== null)
    await env.FILES.resumeMultipartUpload(uploadKey(row), row.upload_id)
      .abort()
      .catch(() => undefined);
  await deleteFolder(env.FILES, folderOfImport(row));
  await changeImport(db, row.id, { from: ["failed", "done", "cancelled"], change: { has_file: false, upload_id: null } });
}

/** One import. Throws NOT_FOUND. */
export async function getImport(db: Database, name: Named): Promise<Import> {
  return toImport(db, await findOwnImport(db, name));
}

export async function listImports(db: Database, userId: string): Promise<Import[]> {
  const rows = await selectImports(db, userId, LISTED);
  return Promise.all(rows.map(async (row) => toImport(db, await seenLost(db, row))));
}

/** The report of an import as text. Throws NOT_FOUND. */
export async function writeReport(db: Database, name: Named): Promise<string> {
  const row = await findOwnImport(db, name);
  const { notes } = await selectNotes(db, row.id, NOTES_MAX);
  return reportText({ ...row, counts: countsOf(row) }, toNotes(notes));
}

async function findOwnImport(db: Database, { userId, id }: Named): Promise<ImportRow> {
  const row = await findImport(db, id);
  if (row?.user_id !== userId) throw new AppError("NOT_FOUND");
  return seenLost(db, row);
}

/** An import whose job was lost has failed, as whoever looks at it finds; it can be tried again. */
async function seenLost(db: Database, row: ImportRow): Promise<ImportRow> {
  const isWorking = row.state === "reading" || row.state === "importing";
  if (!isWorking || Date.parse(row.updated_at) > Date.now() - LOST_MS) return row;
  const change = { state: "failed", error: LOST, ended_at: new Date().toISOString() } as const;
  return (await changeImport(db, row.id, { from: [row.state], change })) ?? row;
}

/** Deletes some of the files that nobody imported within a day, and says so. True where there may be more. */
export async function purgeForgottenImports(env: Env): Promise<boolean> {
  const db = openDatabase(env.DB);
  const rows = await selectForgotten(db, new Date(Date.now() - UPLOAD_RETENTION_MS).toISOString(), PAGE);
  for (const row of rows) await (isOver(row) ? dropFile(env, db, row) : end(env, db, row, { state: "failed", error: FORGOTTEN }));
  return rows.length === PAGE;
}

function isOver({ state }: ImportRow): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

/** What an import counted so far. */
export function countsOf({ counts }: Pick<ImportRow, "counts">): ImportCounts {
  return ImportCounts.parse(JSON.parse(counts));
}

function toNotes(rows: readonly { kind: string; title: string; reason: string }[]): ImportNote[] {
  return rows.flatMap(({ kind, title, reason }) => {
    const known = ImportKind.safeParse(kind);
    return known.success ? [{ kind: known.data, title, reason }] : [];
  });
}

async function toImport(db: Database, row: ImportRow): Promise<Import> {
  const [parts, { notes, count }] = await Promise.all([
    row.state === "uploading" ? selectParts(db, row.id) : [],
    selectNotes(db, row.id, IMPORT_NOTES_SHOWN),
  ]);
  const { id, name, size, state, source, items, cursor, error, created_at, ended_at } = row;
  return {
    id,
    name,
    size,
    state,
    source,
    part_bytes: IMPORT_PART_BYTES,
    parts: parts.map(({ number }) => number),
    items,
    done: cursor,
    counts: countsOf(row),
    notes: toNotes(notes),
    note_count: count,
    error,
    can_retry: state === "failed" && canStart(row),
    created_at,
    ended_at,
  };
}
