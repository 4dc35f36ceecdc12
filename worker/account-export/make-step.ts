import { toCaller } from "../auth/sessions.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { findUser } from "../users/users.ts";
import { EXPORT_LIFETIME_MS } from "#shared/entities/library/account-export.ts";
import { exportFolder } from "./export-keys.ts";
import { type ExportRow, keepStep, type StepResult } from "./queries.ts";
import type { ExportContext } from "./section.ts";
import { SECTIONS } from "./sections/sections.ts";
import { closingSection } from "./sections/closing.ts";
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
export async function makeStep(env: Env, row: ExportRow, { isLastTry }: { isLastTry: boolean }): Promise<Made> {
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
  const isWhole = section >= SECTIONS.length;
  if (isWhole) await closingSection(context, { counts, leftOut, leftOutCount });
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
  const kept = isWhole ? await closed(made, { attempt, store }) : made;
  if (!(await keepStep(db, row, kept))) {
    // The folder of one that was deleted meanwhile is emptied already.
    if (stored.length > 0) await env.FILES.delete(stored);
    return "gone";
  }
  return isWhole ? "ready" : "kept";
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
