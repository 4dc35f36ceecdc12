/** Works an import off in parts: each message of the queue does a bounded share and asks for the next. */
import * as z from "zod/mini";
import { IMPORT_SOURCES, ImportCounts, type ImportNote } from "#shared/imports/import.ts";
import { importSentence } from "#shared/imports/report.ts";
import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { noteDoneJob } from "#worker/people/done-jobs/note-done-job.ts";
import { getUserRow } from "#worker/people/users/users.ts";
import { openArchive, maxUnpackedBytes } from "./archive.ts";
import { createByteGate } from "./byte-gate.ts";
import { folderOfImport, planKey, uploadKey } from "./keys.ts";
import { addUnpacked, changeImport, findImport, type ImportRow, storeNotes, keepStep } from "./queries.ts";
import { addCounts, type Importing, type ImportResult, type Plan, type PlanItem, unreadable } from "./source.ts";
import { sourceOf } from "./sources.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";

/** What an import does where something fails: whether that is an item's own fault, and when it is tried again. */

/** What an import met since it last moved on: how often it stood back, and how often the item at `cursor` failed while all else worked. */
const RetryState = z.object({ waits: z.number(), cursor: z.number(), tries: z.number() });
type RetryState = z.infer<typeof RetryState>;

const NO_RETRIES: RetryState = { waits: 0, cursor: -1, tries: 0 };

/** So often an item is tried alone, while the platform answers, before it is left out. */
const TRIES = 2;
/** After so many seconds an import goes on; the last one holds for all further, an hour and a half in all. */
const WAITS = [2, 10, 60];
const LAST_WAIT = 300;
const WAITS_MAX = 20;

/** An item failed while it was imported alone; `tries` counts how often it did while all else worked. */
class ItemFailed extends Error {
  readonly cursor: number;
  readonly tries: number;
  constructor({ cursor, tries }: { cursor: number; tries: number }, cause: unknown) {
    super("An item of an import failed.", { cause });
    this.cursor = cursor;
    this.tries = tries;
  }
}

/** The retryState after another failure, and the seconds to wait for; null once that has gone on for too long. */
function nextRetry(before: RetryState, cause: unknown): { retryState: RetryState; wait: number } | null {
  const place = cause instanceof ItemFailed ? { cursor: cause.cursor, tries: cause.tries } : before;
  const hasMoved = before.cursor >= 0 && place.cursor !== before.cursor;
  const waits = hasMoved ? 0 : before.waits;
  if (waits >= WAITS_MAX) return null;
  return { retryState: { cursor: place.cursor, tries: place.tries, waits: waits + 1 }, wait: WAITS[waits] ?? LAST_WAIT };
}

/** Does an item's work alone: null where it is left out because it fails while the platform answers. Throws `ItemFailed`. */
async function tryItemAlone<T>(
  importing: Importing,
  { cursor, retryState }: { cursor: number; retryState: RetryState },
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (cause) {
    const before = retryState.cursor === cursor ? retryState.tries : 0;
    const tries = before + ((await isPlatformSound(importing)) ? 1 : 0);
    if (tries >= TRIES) return null;
    throw new ItemFailed({ cursor, tries }, cause);
  }
}

/** True where the database, the storage and the person's own object take and give what an import needs of them. */
async function isPlatformSound({ env, db, importId, folder, user }: Importing): Promise<boolean> {
  const key = `${folder}probe`;
  try {
    await env.FILES.put(key, importId);
    const readBack = await (await env.FILES.get(key))?.text();
    // The import may have ended meanwhile, and its folder been deleted.
    await env.FILES.delete(key);
    await changeImport(db, importId, { from: ["importing"], change: {} });
    await hubOf(env, user.userId).connections();
    return readBack === importId;
  } catch {
    return false;
  }
}

/** Notes that an item is imported alone: if that ends the Worker, the next message finds the note. */
async function recordItemAlone({ env, folder }: Importing, cursor: number): Promise<void> {
  await env.FILES.put(`${folder}alone`, `${cursor}`);
}

/** True where bringing this item alone ended the Worker. */
async function hasCrashedWorker({ env, folder }: Importing, cursor: number): Promise<boolean> {
  const note = await env.FILES.get(`${folder}alone`);
  return (await note?.text()) === `${cursor}`;
}

/** A message works for so many milliseconds, and then lets others of the queue have their turn. */
const STEP_MS = 12_000;
/** Items imported at once: a Worker has six connections. Together they have so many bytes at most, or one of them is alone. */
const AT_ONCE = 6;
const BYTES_AT_ONCE = 8 * 1024 * 1024;
/** Bytes of files that are in memory at once, or one file. */
const FILES_AT_ONCE = 16 * 1024 * 1024;
/** Items of one message: each asks other services some twenty times, and a message may ask a thousand. */
const ITEMS_A_STEP = 36;
/** The queue brings a message that ended the Worker again so often (wrangler.jsonc). */
const RETRIES = 3;
const BROKEN = "Something went wrong on our side. What came so far is kept.";
const TOO_LARGE = "The import was stopped: unpacked, this file is far larger than any export. What came so far is kept.";

/** Does the next share of an import. One that was cancelled or is over is left alone. */
export const importStepJob = job(
  "import.step",
  z.object({ importId: z.string(), retryState: z.optional(RetryState) }),
  async (env, { importId, retryState = NO_RETRIES }, attempt) => {
    try {
      await continueImport(env, importId, { attempt, retryState });
    } catch (cause) {
      await comeLater(env, importId, { retryState, cause });
    }
  },
  "READS",
);

/** Which time a message comes, as each but the first ended the Worker, and what was thrown since the import last moved on. */
type Trouble = { attempt: number; retryState: RetryState };

async function continueImport(env: Env, importId: string, trouble: Trouble): Promise<void> {
  const row = await findImport(openDatabase(env.DB), importId);
  if (row?.state !== "reading" && row?.state !== "importing") return;
  if (trouble.attempt > RETRIES) return fail(env, row);
  const importing = await open(env, row);
  if (!importing) return fail(env, row);
  const came = await counted(importing, () => (row.state === "reading" ? plan(importing, row) : step(importing, row, trouble)));
  if (came === "other") return;
  if (importing.archive.isExhausted()) return failForGood(env, row);
  if (came === "all") return finish(env, importId);
  await enqueue(env, importStepJob, { importId });
}

/** Does a share of the work and keeps what it unpacked and found false, so that no further message, whatever ended this one, does so anew. */
async function counted<T>(importing: Importing, work: () => Promise<T>): Promise<T> {
  const { env, db, importId, archive, rejected, folder } = importing;
  const before = rejected.size;
  const keep = async () => {
    if (archive.unpacked() > 0) await addUnpacked(db, importId, archive.unpacked());
    if (rejected.size > before) await env.FILES.put(`${folder}rejected`, JSON.stringify([...rejected]));
  };
  try {
    const came = await work();
    await keep();
    return came;
  } catch (cause) {
    // How an import goes on is read of what was thrown first.
    await keep().catch(() => undefined);
    throw cause;
  }
}

/** What was thrown, as while a service is away, is no reason to give anything up: the import goes on later, and stops only after long. */
async function comeLater(
  env: Env,
  importId: string,
  { retryState: before, cause }: { retryState: RetryState; cause: unknown },
): Promise<void> {
  log.warn("an import stands back", { importId, ...before, cause });
  const next = nextRetry(before, cause);
  if (next) {
    // While it waits it is not lost. The database may be what is away.
    await changeImport(openDatabase(env.DB), importId, { from: ["reading", "importing"], change: {} }).catch(() => undefined);
    await enqueue(env, importStepJob, { importId, retryState: next.retryState }, { delaySeconds: next.wait });
    return;
  }
  const row = await findImport(openDatabase(env.DB), importId);
  if (row) await fail(env, row);
}

async function open(env: Env, row: ImportRow): Promise<Importing | null> {
  const db = openDatabase(env.DB);
  const stored = { key: uploadKey(row), size: row.size, name: row.name };
  const archive = await openArchive(env.FILES, stored, maxUnpackedBytes(row.size) - row.unpacked);
  if (!archive || row.source === null) return null;
  const { id: userId, display_name: displayName } = await getUserRow(db, row.user_id);
  const folder = folderOfImport(row);
  const found = await env.FILES.get(`${folder}rejected`);
  const rejected = new Map(found ? Rejected.parse(await found.json()) : []);
  const gate = createByteGate(FILES_AT_ONCE);
  return { env, db, importId: row.id, source: row.source, user: { userId, displayName }, archive, folder, gate, rejected };
}

const Rejected = z.array(z.tuple([z.string(), z.string()]));

async function plan(importing: Importing, row: ImportRow): Promise<"some"> {
  const { env, db } = importing;
  const { items, notes, counts } = await sourceOf(row.source).plan(importing);
  await env.FILES.put(planKey(row), JSON.stringify(items));
  await storeNotes(db, row.id, notes);
  const change = { state: "importing", items: items.length, cursor: 0, counts: JSON.stringify(counts) } as const;
  await changeImport(db, row.id, { from: ["reading"], change });
  return "some";
}

const Items = z.array(
  z.object({ kind: z.string(), name: z.string(), from: z.number(), length: z.number(), title: z.optional(z.string()) }),
);

async function readPlan({ env, folder }: Importing): Promise<Plan["items"]> {
  const object = await env.FILES.get(`${folder}plan`);
  if (!object) throw new Error("The plan of an import is gone.");
  return Items.parse(await object.json());
}

/**
 * Imports some items: `all` once there are none left, `other` where the import was ended meanwhile, or a repeat of this message is ahead.
 * After a failure one at a time, so the one that causes it is known, and left out.
 */
async function step(importing: Importing, row: ImportRow, trouble: Trouble): Promise<"all" | "some" | "other"> {
  const items = await readPlan(importing);
  const until = Date.now() + STEP_MS;
  const last = Math.min(items.length, row.cursor + ITEMS_A_STEP);
  const isAlone = trouble.attempt > 1 || trouble.retryState.waits > 0;
  let counts = ImportCounts.parse(JSON.parse(row.counts));
  let cursor = row.cursor;
  let isLeft = false;
  while (cursor < last && Date.now() < until && !isLeft && !importing.archive.isExhausted()) {
    const share = isAlone ? items.slice(cursor, cursor + 1) : shareOf(items.slice(cursor, last));
    const from = cursor;
    const came = isAlone ? await importAlone(importing, share, { ...trouble, cursor }) : await importAll(importing, share, from);
    // The next one begins with a count of its own.
    isLeft = came === null;
    const results = came ?? share.map((item) => unreadable(item, "It could not be imported."));
    for (const each of results) counts = addCounts(counts, each.counts);
    const notes = results.map((each, index) => ({ item: from + index, notes: each.notes.map(short) }));
    cursor += share.length;
    const progress = { id: row.id, cursor: from, next: cursor, counts: JSON.stringify(counts), notes };
    if (!(await keepStep(importing.db, progress))) return "other";
  }
  return cursor >= items.length ? "all" : "some";
}

/** Imports one item by itself; null where it is left out. */
async function importAlone(
  importing: Importing,
  share: readonly PlanItem[],
  { attempt, retryState, cursor }: Trouble & { cursor: number },
): Promise<ImportResult[] | null> {
  if (attempt > 2 && (await hasCrashedWorker(importing, cursor))) return null;
  if (attempt > 1) await recordItemAlone(importing, cursor);
  return tryItemAlone(importing, { cursor, retryState }, () => importAll(importing, share, cursor));
}

/** Imports items at once, each to its end whatever becomes of the others. */
async function importAll(importing: Importing, share: readonly PlanItem[], from: number): Promise<ImportResult[]> {
  const { importItem } = sourceOf(importing.source);
  const all = await Promise.allSettled(share.map((item, index) => importItem(importing, item, from + index)));
  return all.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

function shareOf(items: readonly PlanItem[]): PlanItem[] {
  let bytes = 0;
  const share: PlanItem[] = [];
  for (const item of items.slice(0, AT_ONCE)) {
    bytes += item.length;
    if (share.length > 0 && bytes > BYTES_AT_ONCE) break;
    share.push(item);
  }
  return share;
}

const TITLE_LENGTH = 200;

function short({ kind, title, reason }: ImportNote): ImportNote {
  return { kind, title: title.slice(0, TITLE_LENGTH), reason };
}

/** Says that an import is done, deletes its file, and notifies its person unless they see it. */
async function finish(env: Env, importId: string): Promise<void> {
  const db = openDatabase(env.DB);
  const change = { state: "done", ended_at: new Date().toISOString() } as const;
  const row = await changeImport(db, importId, { from: ["importing"], change });
  if (!row) return;
  await dropFile(env, row);
  await notify(env, row);
}

async function dropFile(env: Env, row: ImportRow): Promise<void> {
  await deleteFolder(env.FILES, folderOfImport(row));
  await changeImport(openDatabase(env.DB), row.id, { from: ["done", "failed"], change: { has_file: false } });
}

/** Says that an import failed; its file stays for another try. */
async function fail(env: Env, row: ImportRow): Promise<void> {
  log.error("an import failed", { importId: row.id, cursor: row.cursor });
  const failed = await endWith(env, row, BROKEN);
  if (failed) await notify(env, failed);
}

/** Says that an import was stopped because of what its file unpacks to, and deletes the file: another try would do the same. */
async function failForGood(env: Env, row: ImportRow): Promise<void> {
  log.warn("an import unpacked too much", { importId: row.id, size: row.size });
  const failed = await endWith(env, row, TOO_LARGE);
  if (!failed) return;
  await dropFile(env, failed);
  await notify(env, failed);
}

function endWith(env: Env, row: ImportRow, error: string): Promise<ImportRow | undefined> {
  const change = { state: "failed", error, ended_at: new Date().toISOString() } as const;
  return changeImport(openDatabase(env.DB), row.id, { from: ["reading", "importing"], change });
}

async function notify(env: Env, row: ImportRow): Promise<void> {
  const title = row.source === null ? row.name : `Chats from ${IMPORT_SOURCES[row.source]}`;
  const isOk = row.state === "done";
  const detail = isOk ? importSentence(ImportCounts.parse(JSON.parse(row.counts))) : (row.error ?? BROKEN);
  const place = { what: "import", title, path: "/?settings=data" } as const;
  await noteDoneJob(env, row.user_id, { ...place, id: `import:${row.id}:${row.ended_at}`, isOk, summary: detail });
}
