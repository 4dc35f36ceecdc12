/** Reading scanned PDFs as pictures, at the owner's expense, once they asked for it. */
import * as z from "zod/mini";
import type { KnowledgeFile } from "#shared/entities/library/knowledge.ts";
import { scanPrice } from "#shared/scans.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { readScan, ScanError } from "#worker/platform/clients/file-parser/read-scan.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countIfAllowed, countOrRefuse, daily, takeBackEvent, hourly } from "#worker/platform/http/rate-limit.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { readingModel } from "#worker/people/models/reading-model.ts";
import { type Indexed, indexChunks } from "#worker/library/passages/index-file.ts";
import type { ReadEnd, TextChunk } from "#worker/library/passages/passage.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { type FileName, requireEditableFile } from "./files.ts";
import { type FileRow, selectEntry, selectFile, updateFile } from "./queries.ts";
import { endReading, failed, SCAN_FAILED } from "./read-file.ts";
import { toFile } from "./to-knowledge.ts";

/** A reading that ended the Worker so often is left alone. */
const TRIES = 2;
/** Tokens that a page's text is reckoned to have, as a model that takes all of them is asked. */
const PAGE_TOKENS = 1_000;
const NO_CREDIT = "Your credits don't suffice to read these pages as pictures.";
/** Presses of one person that count in an hour. */
const PER_HOUR = 60;
/** Readings of one person that may fail in a day: nobody pays for them but the house. Those under way are reserved for. */
const FAILURES_PER_DAY = 20;
const TOO_MANY = "Too many of your scans are being read, or could not be read today. Try again later.";
const NO_TEXT = "There is no text on these pages.";

/** Has a scan of an entry of the user's own read as pictures, where that is what it is; any other file stays as it is. Throws NOT_FOUND, FORBIDDEN, INSUFFICIENT_CREDITS, RATE_LIMITED. */
export async function startScan(env: Env, db: Database, userId: string, name: FileName): Promise<KnowledgeFile> {
  const { file, ownerId } = await requireEditableFile(db, userId, name);
  if (ownerId !== userId) throw new AppError("FORBIDDEN", { message: "Only its creator, who pays for it, can have these pages read." });
  const price = scanPrice(file);
  if (price === null || !file.is_stored || file.sync_status !== "error") return toFile(file);
  if ((await hubOf(env, userId).credits()) < toMicros(price)) throw new AppError("INSUFFICIENT_CREDITS");
  await countOrRefuse(env, `scans:${userId}`, hourly(PER_HOUR), "RATE_LIMITED");
  if (!(await countIfAllowed(env, failuresOf(userId), daily(FAILURES_PER_DAY)))) throw new AppError("RATE_LIMITED", { message: TOO_MANY });
  const reading = crypto.randomUUID();
  const change = { sync_status: "pending", unread: null, reading, reading_since: new Date().toISOString() } as const;
  const changed = await updateFile(db, file.id, { as: { object_key: file.object_key, sync_status: "error" }, change });
  if (!changed) {
    await takeBackEvent(env, failuresOf(userId));
    return toFile(file);
  }
  await enqueue(env, readScanJob, { contextId: file.context_id, id: file.id, reading });
  return toFile(changed);
}

const failuresOf = (userId: string) => `failed-scans:${userId}`;

const Reading = z.object({ contextId: z.string(), id: z.string(), reading: z.string() });

/** Reads a scan, which may take minutes, and says in its row how that ended; one that was removed, or is being read again, is left alone. What fails costs its person nothing. */
export const readScanJob = job(
  "knowledge.scan",
  Reading,
  async (env, { contextId: entryId, id, reading }, attempt) => {
    const db = openDatabase(env.DB);
    const [file, entry] = await Promise.all([selectFile(db, { entryId, id }), selectEntry(db, entryId)]);
    if (!file?.is_stored || file.reading !== reading || !entry || !(await isUnderWay(db, file))) return;
    const end = attempt > TRIES ? SCAN_FAILED : await read(env, db, file, { ownerId: entry.user_id, callId: `scan:${reading}` });
    if (end !== SCAN_FAILED) await takeBackEvent(env, failuresOf(entry.user_id));
    const change =
      typeof end === "string"
        ? failed(end, file.scan_pages)
        : ({ sync_status: "synced", unread: null, pages: end.pages, characters: end.characters, scan_pages: null } as const);
    await endReading(env, db, { file, ownerId: entry.user_id, change });
  },
  "READS",
);

/** True while a file's reading is its row's, which from now on nobody calls lost for as long as a reading may take. */
async function isUnderWay(db: Database, { id, object_key, reading }: FileRow): Promise<boolean> {
  const change = { reading_since: new Date().toISOString() };
  return (await updateFile(db, id, { as: { object_key, reading, sync_status: "pending" }, change })) !== undefined;
}

type Paying = { ownerId: string; callId: string };
type IndexedScan = Extract<Indexed, { ok: true }>;

/** What was read, or why nothing was. */
async function read(env: Env, db: Database, file: FileRow, { ownerId, callId }: Paying): Promise<IndexedScan | string> {
  const [price, pages] = [scanPrice(file), file.scan_pages ?? 0];
  const model = await readingModel(env, (pages + 1) * PAGE_TOKENS);
  if (price === null || model === null) return SCAN_FAILED;
  const hub = hubOf(env, ownerId);
  const reservation = await hub.reserveCall({ replyId: callId, generation: 0, amountMicros: toMicros(price) });
  if (!reservation.ok) return NO_CREDIT;
  let paid: number | null = null;
  try {
    const stored = await env.FILES.get(file.object_key);
    if (!stored) return SCAN_FAILED;
    const { texts, dollars } = await readScan(env, { model, name: file.file_name, bytes: await stored.bytes() });
    // Nothing is found of a file that was called unread, or is gone, nor does anybody pay for it.
    if (!(await isUnderWay(db, file))) return SCAN_FAILED;
    const place = { indexId: file.context_id, document: { id: file.id, name: file.file_name }, ownerId };
    const end = await indexChunks(env, place, toChunks(texts, pages));
    // Nobody pays more than announced, nor before what was read can be found.
    if (!(await isUnderWay(db, file))) return SCAN_FAILED;
    paid = Math.min(toMicros(dollars ?? price), toMicros(price));
    return end.ok ? end : end.reason;
  } catch (cause) {
    if (!(cause instanceof ScanError)) throw cause;
    log.warn("a scan could not be read", { cause });
    return SCAN_FAILED;
  } finally {
    const charge = { callId, replyId: "", chatId: "", what: "scan", modelId: model, isHouse: false, tokens: 0 } as const;
    await hub.charge(paid === null ? null : { ...charge, amountMicros: paid }, callId);
  }
}

/** What was read, page by page where each has a text of its own. */
async function* toChunks(texts: readonly string[], pages: number): AsyncGenerator<TextChunk, ReadEnd> {
  if (texts.every((text) => text.trim() === "")) return { ok: false, reason: NO_TEXT, isScan: true, pages };
  for (const [at, text] of texts.entries()) yield texts.length === pages ? { text: `${text}\n\n`, page: at + 1 } : { text: `${text}\n\n` };
  return { ok: true, pages, isComplete: true };
}
