import * as z from "zod/mini";
import { FORMATS, type FileFormat } from "#shared/attachment-rules.ts";
import type { FileFacts } from "./room-file.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { textKeyOf } from "./attachment-keys.ts";
import { fromBytes, fromObject } from "#worker/library/attachments/readers/byte-source.ts";
import { type Extraction, STILL_READING } from "#worker/library/attachments/readers/extraction.ts";
import type { readFileText } from "#worker/library/attachments/readers/read-file-text.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** Whoever uploads waits this long for the words of their file; reading it takes a second at most where nobody means harm. */
const PATIENCE_MS = 25_000;
/** How soon it is looked whether a file was read, in milliseconds: at first, and at most. */
const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 500;
/** A file whose reading ended the Worker so often is left alone. */
const TRIES = 2;

const UNREADABLE: Extraction = { ok: false, reason: "This file could not be read." };

const Stored = z.object({
  key: z.string(),
  format: z.custom<FileFormat>((format) => typeof format === "string" && Object.hasOwn(FORMATS, format)),
  size: z.number(),
});
type Stored = z.infer<typeof Stored>;

/**
 * Has the text in a stored file read and kept beside it. What takes a parser is read by a job of its own, so a hostile
 * file is at most its own reader's trouble; plain text is read at once, from `whole` where that is at hand.
 */
export async function requestReading(env: Env, file: Stored, whole: Uint8Array | null): Promise<Extraction> {
  if (FORMATS[file.format].kind === "text") {
    const read = await readText(file.format, whole ? fromBytes(whole) : fromObject(env.FILES, file), env.ASSETS);
    await keep(env.FILES, file.key, read);
    return read;
  }
  await enqueue(env, readUploadJob, file);
  return awaitReading(env.FILES, file.key, PATIENCE_MS);
}

/** Reads a stored file and keeps what is found. It may come more than once, and finds nothing to do where the file is gone. Throws where it should come again. */
export async function readUpload(
  { FILES: files, ASSETS: assets }: Pick<Env, "FILES" | "ASSETS">,
  { key, format, size }: Stored,
  attempts: number,
): Promise<void> {
  if (!(await files.head(key)) || (await files.head(textKeyOf(key)))) return;
  await keep(files, key, attempts > TRIES ? UNREADABLE : await readText(format, fromObject(files, { key, size }), assets));
}

/** Reads a file in a queue of its own. */
export const readUploadJob = job("file.read", Stored, readUpload, "READS");

/** What a file's reader has kept, once it has; after `patienceMs` the file is still being read, and `readSince` says more later. */
export async function awaitReading(files: R2Bucket, key: string, patienceMs: number): Promise<Extraction> {
  const until = Date.now() + patienceMs;
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LAST_LOOK_MS)) {
    const stored = await files.get(textKeyOf(key));
    const { reason, isComplete } = stored?.customMetadata ?? {};
    if (stored && reason !== undefined) return { ok: false, reason, ...pagesOf(stored) };
    if (stored) return { ok: true, text: await stored.text(), isComplete: isComplete === "true", ...pagesOf(stored) };
    if (Date.now() >= until) return { ok: false, reason: STILL_READING };
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** How far the reading of a file came that its upload did not wait for: what is reported to its chat then, or null where it still goes on. */
export async function readSince(files: R2Bucket, key: string): Promise<FileFacts | null> {
  const stored = await files.head(textKeyOf(key));
  if (!stored) return null;
  const { reason, isComplete, characters } = stored.customMetadata ?? {};
  return reason === undefined
    ? { characters: Number(characters), isComplete: isComplete === "true", unread: null, ...pagesOf(stored) }
    : { characters: 0, isComplete: true, unread: reason, ...pagesOf(stored) };
}

function pagesOf({ customMetadata }: R2Object): { pages?: number } {
  const pages = Number(customMetadata?.["pages"]);
  return Number.isInteger(pages) ? { pages } : {};
}

/** The parsers come with the first file that is read. */
const readers = loadOnce(() => import("#worker/library/attachments/readers/read-file-text.ts"));

const readText: typeof readFileText = async (...file) => (await readers()).readFileText(...file);

async function keep(files: R2Bucket, key: string, read: Extraction): Promise<void> {
  const found: Record<string, string> = read.ok
    ? { isComplete: String(read.isComplete), characters: String(read.text.length) }
    : { reason: read.reason };
  await files.put(textKeyOf(key), read.ok ? read.text : "", {
    httpMetadata: { contentType: "text/plain; charset=utf-8" },
    customMetadata: { ...found, ...(read.pages !== undefined && { pages: String(read.pages) }) },
  });
}
