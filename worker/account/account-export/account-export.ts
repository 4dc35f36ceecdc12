import { type AccountExport, EXPORT_LIFETIME_MS, EXPORTS_PER_DAY } from "#shared/entities/library/account-export.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countOrRefuse, daily } from "#worker/platform/http/rate-limit.ts";
import { exportFolder } from "./export-keys.ts";
import {
  deleteExportRow,
  type ExportRow,
  failStuck,
  insertExport,
  selectExpired,
  selectExport,
  selectExports,
  selectNewest,
} from "./queries.ts";

/** An export that no message went on with for so many milliseconds is lost: a step takes seconds, and its retries minutes. */
const STUCK_MS = 60 * 60_000;
const STUCK = "It stopped on our side before it was done. Nothing of your account was changed.";
/** Expired exports that are deleted at a time. */
const EXPIRED = 100;

type Own = { id: string; userId: string };

/** A user's newest export, as they see it; null without one, and for one whose time is over. */
export async function newestExport(db: Database, userId: string): Promise<AccountExport | null> {
  const row = await selectNewest(db, userId);
  return row === undefined || isOver(row) ? null : toExport(row);
}

/**
 * Begins an export, in place of an earlier one; the same id again is the same one.
 * Throws STILL_RUNNING while another one is made, CONFLICT for another's id, and RATE_LIMITED.
 */
export async function startExport(env: Env, db: Database, { id, userId }: Own): Promise<AccountExport> {
  const known = await selectExport(db, id);
  if (known) return toExport(ownedBy(known, userId));
  await failStuckExports(env);
  const earlier = await selectExports(db, userId);
  if (earlier.some(({ state }) => state === "running")) return oneUnderWay(db, { id, userId });
  await countOrRefuse(env, `account-exports:${userId}`, daily(EXPORTS_PER_DAY), "RATE_LIMITED");
  for (const own of earlier) await expireExport(env, { id: own.id, userId });
  await insertExport(db, { id, userId, at: new Date().toISOString() });
  return oneUnderWay(db, { id, userId });
}

/** Deletes an export and all that is stored of it; one that is being made is given up. Throws NOT_FOUND. */
export async function deleteExport(env: Env, db: Database, own: Own): Promise<void> {
  if (!(await deleteExportRow(db, own))) throw new AppError("NOT_FOUND");
  await deleteFolder(env.FILES, exportFolder(own.userId, own.id));
}

export async function expireExport(env: Env, own: Own): Promise<void> {
  // The bytes go first: a row that is left is tried again.
  await deleteFolder(env.FILES, exportFolder(own.userId, own.id));
  await deleteExportRow(openDatabase(env.DB), own);
}

/** Every night: expired exports are deleted, and those that stopped are reported as failed. True where there may be more. */
export async function purgeExports(env: Env): Promise<boolean> {
  await failStuckExports(env);
  const over = await selectExpired(openDatabase(env.DB), { now: new Date().toISOString(), limit: EXPIRED });
  for (const { id, user_id: userId } of over) await expireExport(env, { id, userId });
  return over.length === EXPIRED;
}

/** A finished export of this user whose time is not over. Throws NOT_FOUND, also for another's. */
export async function finishedExport(db: Database, own: Own): Promise<ExportRow> {
  const row = await selectExport(db, own.id);
  if (!row || row.user_id !== own.userId || row.state !== "ready" || isOver(row)) throw new AppError("NOT_FOUND");
  return row;
}

async function failStuckExports(env: Env): Promise<void> {
  const now = Date.now();
  const isoOf = (time: number) => new Date(time).toISOString();
  const times = { before: isoOf(now - STUCK_MS), at: isoOf(now), over: isoOf(now + EXPORT_LIFETIME_MS) };
  await failStuck(openDatabase(env.DB), { ...times, problem: STUCK });
}

/** The export of this id, as a repeat of the request may have been faster. Throws STILL_RUNNING where another one is made. */
async function oneUnderWay(db: Database, { id, userId }: Own): Promise<AccountExport> {
  const row = await selectExport(db, id);
  if (!row) throw new AppError("STILL_RUNNING", { message: "An export is being made already." });
  return toExport(ownedBy(row, userId));
}

function ownedBy(row: ExportRow, userId: string): ExportRow {
  if (row.user_id !== userId) throw new AppError("CONFLICT");
  return row;
}

function isOver({ expires_at: at }: ExportRow): boolean {
  return at !== null && Date.parse(at) <= Date.now();
}

function toExport(row: ExportRow): AccountExport {
  const { id, state, done, total, size, left_out_count: left_out, problem, created_at, expires_at } = row;
  const shown = { id, state, done, total, size, left_out, problem, created_at, expires_at };
  const isStuck = state === "running" && Date.now() - Date.parse(row.updated_at) > STUCK_MS;
  return isStuck ? { ...shown, state: "failed", problem: STUCK } : shown;
}
