/** The two jobs that index a person's Drive: one lists its files, several read them. Each message does a batch and sends the next one. */
import * as z from "zod/mini";
import { DriveError, listChanges, listFiles, startOfChanges, type DriveFile } from "#worker/platform/clients/google/drive.ts";
import { FIRST_TOKEN, LANES } from "#worker/integrations/google/drive/drive-index/lanes.ts";
import type {
  ClaimedFile,
  DriveRun,
  DriveState,
  ListedPage,
  ListingStep,
  Settled,
  ListedFile,
  ListedShortcut,
} from "#worker/integrations/google/drive/drive-index/rpc.ts";
import { driveIndexOf } from "#worker/integrations/google/drive/drive-index/stub.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, type Job, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { noteDoneJob } from "#worker/people/done-jobs/note-done-job.ts";
import { removeUnowned } from "./forget-drive.ts";
import { planOf, FOLDER, SHORTCUT, skipReason, versionOf } from "./reading-plan.ts";
import { readDriveFile } from "./read-file.ts";
import { DriveNotConnected, NOT_CONNECTED, openDrive, type AskDrive } from "./open-drive.ts";

/** Pages of one message. */
const PAGES = 10;
/** Files that one message takes, and of those how many at a time; large kinds come one by one. */
const BATCH = 48;
const AT_A_TIME = 4;
/** A message takes no further file after so many milliseconds. */
const BUDGET_MS = 10_000;

const Run = z.object({ userId: z.string(), run: z.string() });
type Run = z.infer<typeof Run>;
/** Each message of a lane has a token of its own. */
const Lane = z.extend(Run, { lane: z.number(), token: z.string() });
type Lane = z.infer<typeof Lane>;

/** Lists what is in a person's Drive, or what changed in it, a few pages at a time. */
export const listDriveJob: Job<Run> = job(
  "drive.list",
  Run,
  async (env, run) => {
    const index = driveIndexOf(env, run.userId);
    const drive = openDrive(env, run.userId);
    for (let pages = 0; pages < PAGES; pages += 1) {
      const step = await index.listing(run.run);
      // It is listed, or another run has begun.
      if (!step) return startReaders(env, run);
      try {
        await listPage({ env, drive }, run, step);
      } catch (cause) {
        if (cause instanceof DriveError && cause.kind === "invalid" && step.cursor !== null) {
          log.warn("a listing of Drive begins anew", { cause });
          await index.restart(run.run);
          continue;
        }
        return waitOrEnd(env, run, { cause, again: (delaySeconds) => enqueue(env, listDriveJob, run, { delaySeconds }) });
      }
    }
    await enqueue(env, listDriveJob, run);
  },
  "READS",
);

type Place = { env: Env; drive: AskDrive };

async function listPage({ env, drive }: Place, { userId, run }: Run, { kind, cursor, changesFrom }: ListingStep): Promise<void> {
  const index = driveIndexOf(env, userId);
  const page = await drive(async (token): Promise<ListedPage> => {
    if (kind === "changes" && cursor !== null) {
      const { changes, next, start } = await listChanges(env, token, cursor);
      const deletedIds = changes.flatMap(({ id, file }) => (file === null || file.trashed === true ? [id] : []));
      const files = changes.flatMap(({ file }) => (file !== null && file.trashed !== true ? [file] : []));
      return { ...toPage(files), from: cursor, next, changesFrom: start, deletedIds };
    }
    // What changes while pages are listed is among the next changes.
    const start = changesFrom ?? (await startOfChanges(env, token));
    if (changesFrom === null) await index.keepChangesStart(run, start);
    const { files, next } = await listFiles(env, token, { pageToken: cursor });
    return { ...toPage(files), from: cursor, next, changesFrom: start, deletedIds: [] };
  });
  await index.keepPage(run, page);
}

async function startReaders(env: Env, { userId, run }: Run): Promise<void> {
  const state = await driveIndexOf(env, userId).state();
  if (state?.run !== run || state.phase !== "reading") return;
  for (let lane = 0; lane < LANES; lane += 1) await enqueue(env, readDriveJob, { userId, run, lane, token: FIRST_TOKEN });
}

/** Has a run go on in the phase in which it stopped. */
export async function continueRun(env: Env, { userId, run, phase, lanes }: DriveRun): Promise<void> {
  if (phase === "listing") await enqueue(env, listDriveJob, { userId, run });
  for (const lane of lanes) await enqueue(env, readDriveJob, { userId, run, ...lane });
}

/** Reads files of a person's Drive, some at a time, until none is left. */
export const readDriveJob: Job<Lane> = job(
  "drive.read",
  Lane,
  async (env, lane) => {
    const { userId, run } = lane;
    const index = driveIndexOf(env, userId);
    const { files: claimed, waitMs, claim } = await index.claim(run, { lane: lane.lane, token: lane.token, limit: BATCH });
    // The run is over, or another message reads in this one's place.
    if (claim === null) return;
    const reader = { lane: lane.lane, claim };
    const later = async (delaySeconds: number) => {
      const token = await index.pass(run, reader, delaySeconds * 1_000);
      if (token !== null) await enqueue(env, readDriveJob, { ...lane, token }, { delaySeconds });
    };
    const isOwner = () => index.holds(run, reader);
    if (waitMs > 0) return later(Math.ceil(waitMs / 1_000));
    if (claimed.length === 0) return (await index.isRead(run)) ? complete(env, lane) : undefined;
    const drive = openDrive(env, userId);
    const began = Date.now();
    let left: ClaimedFile[] = claimed;
    while (left.length > 0 && Date.now() - began < BUDGET_MS) {
      const group = nextGroup(left);
      const rest = left.slice(group.length);
      // Whichever of them ended the Worker before is read alone, so the others don't pay for it.
      if (isSuspect(group[0]) && rest.length > 0) {
        await index.settle(run, reader, rest.map(putBack));
        left = group;
      }
      const read = await Promise.allSettled(group.map((file) => readDriveFile({ env, userId, drive, isOwner }, file)));
      // What broke otherwise than by Drive is held against the file, as it may break again.
      const settled = read.flatMap((one, at): Settled[] => {
        if (one.status === "fulfilled") return [one.value];
        if (isTrouble(one.reason)) return [{ ...putBack(group[at]), as: "trouble" }];
        return isOfDrive(one.reason) ? [putBack(group[at])] : [];
      });
      const isAccepted = await index.settle(run, reader, settled);
      left = left.slice(group.length);
      if (!isAccepted) {
        await index.settle(run, reader, left.map(putBack));
        const written = group.map(({ id }) => id);
        return removeUnowned(env, userId, written);
      }
      const failures = read.filter((one) => one.status === "rejected");
      const failed = failures.find(({ reason }) => !isOfDrive(reason)) ?? failures[0];
      if (failed) {
        await index.settle(run, reader, left.map(putBack));
        return waitOrEnd(env, lane, { cause: failed.reason, again: later });
      }
    }
    if (left.length > 0) await index.settle(run, reader, left.map(putBack));
    await later(0);
  },
  "READS",
);

function putBack(file: ClaimedFile | undefined): Settled & { as: "later" } {
  return { id: file?.id ?? "", version: "", as: "later" };
}

function isOfDrive(cause: unknown): boolean {
  return cause instanceof DriveError || cause instanceof DriveNotConnected;
}

function isTrouble(cause: unknown): boolean {
  return cause instanceof DriveError && cause.kind === "trouble";
}

function isSuspect(file: ClaimedFile | undefined): boolean {
  return file !== undefined && file.tries > 0;
}

/** The files that are read next, side by side where none is large. */
function nextGroup(left: readonly ClaimedFile[]): ClaimedFile[] {
  const [first] = left;
  if (first === undefined) return [];
  const alone = left.findIndex((file) => isSuspect(file) || isLarge(file));
  return left.slice(0, alone === 0 ? 1 : Math.min(alone === -1 ? AT_A_TIME : alone, AT_A_TIME));
}

/** PDFs and files of the office are unpacked to read them. */
function isLarge(file: ClaimedFile): boolean {
  const format = file.isDeleted ? null : planOf(file)?.format;
  return format === "pdf" || format === "doc" || format === "docx" || format === "xls" || format === "xlsx";
}

type Trouble = { cause: unknown; again: (delaySeconds: number) => Promise<void> };

/** Waits where Drive wants that, and ends a run that cannot go on. Throws what is none of Drive's. */
async function waitOrEnd(env: Env, { userId, run }: Run, { cause, again }: Trouble): Promise<void> {
  const index = driveIndexOf(env, userId);
  if (cause instanceof DriveNotConnected) return fail(env, { userId, run }, NOT_CONNECTED);
  if (!(cause instanceof DriveError)) throw cause;
  if (!cause.isPassing) return fail(env, { userId, run }, cause.kind === "refused" ? NOT_CONNECTED : cause.message);
  const { waitMs, isOver } = await index.backOff(run, cause.retryAfterMs);
  if (isOver) return fail(env, { userId, run }, cause.message);
  // Of a run that is none any more nothing is asked again.
  if (waitMs > 0) await again(Math.ceil(waitMs / 1_000));
}

/** Where the state of an index is seen. */
const PLACE = { what: "index", title: "Google Drive", path: "/?settings=tools" } as const;

async function complete(env: Env, { userId, run }: Run): Promise<void> {
  const index = driveIndexOf(env, userId);
  const state = await index.state();
  if (state?.run !== run || state.phase !== "reading") return;
  const message = describe(state);
  if (state.isAsked) await noteDoneJob(env, userId, { ...PLACE, id: `drive:${run}`, isOk: true, summary: message });
  await index.finish(run, { isOk: true, message });
}

async function fail(env: Env, { userId, run }: Run, message: string): Promise<void> {
  const index = driveIndexOf(env, userId);
  const state = await index.state();
  if (state?.run !== run || state.phase === "done" || state.phase === "failed") return;
  if (state.isAsked) await noteDoneJob(env, userId, { ...PLACE, id: `drive-failed:${run}`, isOk: false, summary: message });
  await index.finish(run, { isOk: false, message });
}

function describe({ total, indexed, skipped, failed }: DriveState): string {
  const files = (count: number) => (count === 1 ? "1 file" : `${count.toLocaleString("en")} files`);
  const rest = [
    ...(skipped > 0 ? [`${skipped.toLocaleString("en")} skipped`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString("en")} not readable`] : []),
  ];
  return `${[`${indexed.toLocaleString("en")} of ${files(total)} can be searched`, ...rest].join(", ")}.`;
}

const NAME_LENGTH = 300;

/** What a listing gives as an index keeps it: folders are none of its files, and shortcuts lead to one. */
function toPage(files: readonly DriveFile[]): Pick<ListedPage, "files" | "shortcuts"> {
  const listed: ListedFile[] = [];
  const shortcuts: ListedShortcut[] = [];
  for (const file of files) {
    const { id, mimeType, shortcutDetails: target } = file;
    const name = file.name.slice(0, NAME_LENGTH);
    if (mimeType === SHORTCUT && target && target.targetMimeType !== FOLDER) {
      const { targetId, targetMimeType, targetResourceKey: resourceKey = null } = target;
      shortcuts.push({ id, target: { id: targetId, name, mimeType: targetMimeType, resourceKey } });
    } else if (mimeType !== FOLDER && mimeType !== SHORTCUT) {
      const { webViewLink: link = null, resourceKey = null } = file;
      listed.push({ id, name, mimeType, version: versionOf(file), link, resourceKey, skip: skipReason(file) });
    }
  }
  return { files: listed, shortcuts };
}
