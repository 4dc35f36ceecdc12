import * as z from "zod/mini";
import { EXPORT_LIFETIME_MS } from "#shared/entities/library/account-export.ts";
import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, type Job, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { noteDoneJob } from "#worker/people/done-jobs/note-done-job.ts";
import { expireExport } from "./account-export.ts";
import { exportFolder } from "./export-keys.ts";
import { type ExportRow, failExport, storeStep, selectExport, type StepResult } from "./queries.ts";
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { findUser } from "#worker/people/users/users.ts";
import type { ExportContext } from "./section.ts";
import { SECTIONS } from "./sections/sections.ts";
import { closingSection } from "./sections/manifest.ts";
import { openArchive } from "./zip/archive.ts";
import { endRecords } from "./zip/format.ts";
import { segmentWriter } from "./zip/segments.ts";

/** A step takes no further part after so many bytes, milliseconds, parts or entries: a message has 30 s of CPU, and a bounded number of calls. */
const STEP_BYTES = 48 * 1024 * 1024;
const STEP_MS = 15_000;
const STEP_PARTS = 60;
const STEP_ENTRIES = 300;
/** What could not be included is listed one by one up to here. */
const LEFT_OUT_MAX = 1_000;

/** `kept`: there is more to do. `gone`: another message was faster, or the export is not wanted any more. */
type Made = "kept" | "ready" | "gone";

/** Makes a bounded part of an export and keeps it, once. Throws where the part could not be made. */
async function runExportStep(env: Env, row: ExportRow, { isLastTry }: { isLastTry: boolean }): Promise<Made> {
  const db = openDatabase(env.DB);
  const user = await findUser(db, row.user_id);
  if (!user) return "gone";
  // Whatever another try of this step stored stays without effect: the names are this one's alone.
  const attempt = `${row.step}-${crypto.randomUUID().slice(0, 8)}`;
  const folder = exportFolder(row.user_id, row.id);
  const stored: string[] = [];
  const store = async (name: string, bytes: Uint8Array) => {
    stored.push(`${folder}${name}`);
    await env.FILES.put(`${folder}${name}`, bytes);
  };
  const data = segmentWriter(store, attempt);
  const directory = segmentWriter(store, `${attempt}-directory`);
  const archive = openArchive({ offset: row.size, data, directory });
  const counts = { ...row.counts };
  const leftOut = [...row.left_out];
  let { done, total, section, cursor, left_out_count: leftOutCount } = row;
  const context: ExportContext = {
    env,
    db,
    userId: user.id,
    reader: readerOf(toCaller(`export:${row.id}`, user)),
    archive,
    isLastTry,
    count: (what, more = 1) => void (counts[what] = (counts[what] ?? 0) + more),
    leaveOut: (what, why) => {
      leftOutCount += 1;
      if (leftOut.length < LEFT_OUT_MAX) leftOut.push({ what, why });
    },
    progress: (more) => void (done += more),
  };
  if (row.step === 0) total = await totalOf(context);
  const began = Date.now();
  for (let parts = 0; section < SECTIONS.length && parts < STEP_PARTS; parts += 1) {
    if (data.size() >= STEP_BYTES || archive.entries() >= STEP_ENTRIES || Date.now() - began >= STEP_MS) break;
    cursor = (await SECTIONS[section]?.write(context, cursor)) ?? null;
    if (cursor === null) section += 1;
  }
  const isComplete = section >= SECTIONS.length;
  if (isComplete) await closingSection(context, { counts, leftOut, leftOutCount });
  const made: StepResult = {
    section,
    cursor,
    done: Math.min(done, total),
    total,
    counts,
    left_out: leftOut,
    left_out_count: leftOutCount,
    entries: row.entries + archive.entries(),
    size: row.size + data.size(),
    segments: [...row.segments, ...(await data.finish())],
    directory: [...row.directory, ...(await directory.finish())],
    updated_at: new Date().toISOString(),
  };
  const result = isComplete ? await closed(made, { attempt, store }) : made;
  if (!(await storeStep(db, row, result))) {
    // The folder of one that was deleted meanwhile is emptied already.
    if (stored.length > 0) await env.FILES.delete(stored);
    return "gone";
  }
  return isComplete ? "ready" : "kept";
}

type Closing = { attempt: string; store: (name: string, bytes: Uint8Array) => Promise<void> };

/** A whole ZIP: its entries, its directory and its end. */
async function closed(made: StepResult, { attempt, store }: Closing): Promise<StepResult> {
  const { segments = [], directory = [], entries = 0, size: offset = 0, total = 0 } = made;
  const size = directory.reduce((sum, [, bytes]) => sum + bytes, 0);
  const end = endRecords({ entries, size, offset });
  const name = `${attempt}-end`;
  await store(name, end);
  return {
    ...made,
    state: "ready",
    done: total,
    segments: [...segments, ...directory, [name, end.length]],
    directory: [],
    size: offset + size + end.length,
    expires_at: new Date(Date.now() + EXPORT_LIFETIME_MS).toISOString(),
  };
}

async function totalOf(context: ExportContext): Promise<number> {
  const totals = await Promise.all(SECTIONS.map(async (section) => (await section.total?.(context)) ?? 0));
  return totals.reduce((sum, one) => sum + one, 0);
}

/** The queue gives a message up after so many attempts (wrangler.jsonc). */
const ATTEMPTS = 4;
/** From this attempt on what cannot be read is left out. */
const LENIENT_FROM = 3;
/** A queue holds a message back for so many seconds at most. */
const DELAY_MAX_SECONDS = 12 * 60 * 60;

const FAILED = "Something went wrong on our side. Nothing of your account was changed.";
/** Where the export is downloaded; whoever is signed out comes there by signing in. */
const PATH = `/auth/login?returnUrl=${encodeURIComponent("/?settings=data")}`;

const Step = z.object({ exportId: z.string(), step: z.number() });
type Step = z.infer<typeof Step>;

/** Makes an export of everything that a person has, a bounded part with each message. */
export const accountExportJob: Job<Step> = job(
  "account.export",
  Step,
  async (env, { exportId, step }, attempt) => {
    const row = await selectExport(openDatabase(env.DB), exportId);
    if (!row) return;
    if (row.step !== step) {
      // This step is kept already; whoever kept it may have ended before it sent the next message.
      if (attempt > 1 && row.step === step + 1)
        await continueExport(env, { exportId, step: row.step, state: row.state, userId: row.user_id });
      return;
    }
    if (row.state !== "running") return;
    try {
      const made = await runExportStep(env, row, { isLastTry: attempt >= LENIENT_FROM });
      if (made === "gone") return;
      await continueExport(env, { exportId, step: step + 1, state: made === "ready" ? "ready" : "running", userId: row.user_id });
    } catch (cause) {
      if (attempt < ATTEMPTS) throw cause;
      log.error("an export failed", { exportId, step, cause });
      await giveUp(env, { exportId, userId: row.user_id });
    }
  },
  // Its person waits for it.
  "READS",
);

type Stand = { exportId: string; step: number; state: "running" | "ready" | "failed"; userId: string };

/** Sends the next message, or notifies the person. */
async function continueExport(env: Env, { exportId, step, state, userId }: Stand): Promise<void> {
  if (state === "running") return enqueue(env, accountExportJob, { exportId, step });
  if (state === "failed") return;
  const detail = "It can be downloaded for 24 hours, by you alone: in Settings, under Your data.";
  await noteDoneJob(env, userId, {
    id: `export:${exportId}`,
    what: "export",
    title: "Your export",
    isOk: true,
    summary: detail,
    path: PATH,
  });
  await enqueue(env, expireExportJob, { exportId }, { delaySeconds: DELAY_MAX_SECONDS });
}

/** Ends an export that cannot be made, and notifies its person. */
async function giveUp(env: Env, { exportId, userId }: Pick<Stand, "exportId" | "userId">): Promise<void> {
  const now = Date.now();
  const times = { at: new Date(now).toISOString(), over: new Date(now + EXPORT_LIFETIME_MS).toISOString() };
  if (!(await failExport(openDatabase(env.DB), exportId, { problem: FAILED, ...times }))) return;
  await deleteFolder(env.FILES, exportFolder(userId, exportId)).catch((cause: unknown) =>
    log.warn("what is left of a failed export goes with it after its day", { exportId, cause }),
  );
  const detail = `${FAILED} You can try again.`;
  await noteDoneJob(env, userId, {
    id: `export-failed:${exportId}`,
    what: "export",
    title: "Your export",
    isOk: false,
    summary: detail,
    path: PATH,
  });
}

const Expiring = z.object({ exportId: z.string() });
type Expiring = z.infer<typeof Expiring>;

export const expireExportJob: Job<Expiring> = job("account.export.expire", Expiring, async (env, { exportId }) => {
  const row = await selectExport(openDatabase(env.DB), exportId);
  if (!row || row.expires_at === null) return;
  const left = Math.ceil((Date.parse(row.expires_at) - Date.now()) / 1_000);
  if (left <= 0) return expireExport(env, { id: exportId, userId: row.user_id });
  await enqueue(env, expireExportJob, { exportId }, { delaySeconds: Math.min(left, DELAY_MAX_SECONDS) });
});
