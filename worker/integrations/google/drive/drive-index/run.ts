/** The run that an index is in: where its listing is, and how it stands. */
import type { DriveState, ListingStep } from "./rpc.ts";

/** What Drive answers with only "busy" is asked again after so many milliseconds, each time after twice as many, up to a quarter of an hour. */
const AGAIN_MS = 2_000;
const AGAIN_MAX_MS = 15 * 60_000;
/** A listing that got nothing from Drive for so long, in milliseconds, ends its run. */
const LISTING_MS = 24 * 60 * 60_000;
/** Files that were not read are named up to so many. */
const ERRORS = 100;

type RunRow = {
  user_id: string;
  run: string;
  phase: DriveState["phase"];
  is_asked: number;
  listing: "files" | "changes";
  pass: string;
  cursor: string | null;
  changes_from: string | null;
  message: string | null;
  waits: number;
  wait_until: number;
  progress_at: number;
  started_at: number;
  finished_at: number | null;
};

/** The run that goes on, or was the last one. */
export function findRun(sql: SqlStorage): RunRow | undefined {
  return sql.exec<RunRow>("SELECT * FROM run").toArray()[0];
}

/** The run while it is in this phase; undefined where another has begun since. */
export function findRunInPhase(sql: SqlStorage, run: string, phase: DriveState["phase"]): RunRow | undefined {
  const current = findRun(sql);
  return current?.run === run && current.phase === phase ? current : undefined;
}

export function isRunning(run: RunRow | undefined): run is RunRow {
  return run !== undefined && (run.phase === "listing" || run.phase === "reading");
}

/** Begins a run, unless one goes on: with what changed since the last one, or where the one before stopped. */
export function beginRun(sql: SqlStorage, { userId, isAsked }: { userId: string; isAsked: boolean }): { run: string; isNew: boolean } {
  const current = findRun(sql);
  if (isRunning(current)) {
    if (isAsked) sql.exec("UPDATE run SET is_asked = 1");
    return { run: current.run, isNew: false };
  }
  const now = Date.now();
  const run = crypto.randomUUID();
  if (!current) {
    sql.exec(
      `INSERT INTO run (user_id, run, phase, is_asked, listing, pass, progress_at, started_at) VALUES (?, ?, 'listing', ?, 'files', ?, ?, ?)`,
      userId,
      run,
      Number(isAsked),
      crypto.randomUUID(),
      now,
      now,
    );
    return { run, isNew: true };
  }
  // A run that stopped as it read had gone through its changes, and noted where the next ones begin.
  sql.exec(
    `UPDATE run SET cursor = changes_from, listing = CASE WHEN changes_from IS NULL THEN 'files' ELSE listing END
     WHERE listing = 'changes' AND cursor IS NULL`,
  );
  sql.exec(
    `UPDATE run SET run = ?, phase = 'listing', is_asked = ?, message = NULL, waits = 0, wait_until = 0, progress_at = ?, started_at = ?, finished_at = NULL`,
    run,
    Number(isAsked),
    now,
    now,
  );
  // What failed may do now, and nothing says whether the target of a shortcut changed.
  sql.exec(
    "UPDATE files SET state = 'waiting', reason = NULL, tries = 0, trouble = 0 WHERE state = 'failed' OR (is_target = 1 AND state <> 'gone')",
  );
  // Whoever still reads for the run before settles nothing any more.
  sql.exec("UPDATE files SET lease_until = 0, lane = NULL WHERE lease_until > 0");
  sql.exec("DELETE FROM lanes");
  return { run, isNew: true };
}

/** Where a run's listing goes on. */
export function nextListing({ listing, cursor, changes_from: changesFrom }: RunRow): ListingStep {
  return { kind: listing, cursor, changesFrom };
}

export function restartListing(sql: SqlStorage): void {
  sql.exec("UPDATE run SET listing = 'files', cursor = NULL, changes_from = NULL, pass = ?", crypto.randomUUID());
}

export function noteProgress(sql: SqlStorage): void {
  sql.exec("UPDATE run SET progress_at = ?, waits = 0", Date.now());
}

/** How long Drive is left alone now, in milliseconds; of those who wait at the same time not all come back at once. */
export function noteWait(sql: SqlStorage, { waits }: RunRow, atLeastMs: number | null): number {
  const usual = Math.min(AGAIN_MS * 2 ** waits, AGAIN_MAX_MS) * (0.5 + Math.random() / 2);
  const wait = Math.max(atLeastMs ?? usual, 1_000);
  sql.exec("UPDATE run SET waits = waits + 1, wait_until = ?", Date.now() + wait);
  return wait;
}

/** True where a run's listing failed for so long that it is given up. */
export function isListingOver({ phase, progress_at: progressAt }: RunRow): boolean {
  return phase === "listing" && Date.now() - progressAt > LISTING_MS;
}

/** Notes how a run ended. The next one lists what changes from then on, or goes on where this one stopped. */
export function endRun(sql: SqlStorage, { isOk, message }: { isOk: boolean; message: string }): void {
  sql.exec("UPDATE run SET phase = ?, message = ?, finished_at = ?", isOk ? "done" : "failed", message, Date.now());
  if (isOk) sql.exec("UPDATE run SET listing = CASE WHEN changes_from IS NULL THEN 'files' ELSE 'changes' END, cursor = changes_from");
}

export function describeRun(sql: SqlStorage): DriveState | null {
  const current = findRun(sql);
  if (!current) return null;
  const counts = new Map(
    sql
      .exec<{ state: string; n: number }>("SELECT state, COUNT(*) AS n FROM files GROUP BY state")
      .toArray()
      .map(({ state, n }) => [state, n]),
  );
  const count = (state: string) => counts.get(state) ?? 0;
  const [indexed, skipped, failed] = [count("indexed"), count("skipped"), count("failed")];
  const errors = sql
    .exec<{ name: string; reason: string | null }>(
      "SELECT name, reason FROM files WHERE state IN ('failed', 'skipped') ORDER BY state, name LIMIT ?",
      ERRORS,
    )
    .toArray();
  return {
    run: current.run,
    phase: current.phase,
    isAsked: current.is_asked === 1,
    total: count("waiting") + indexed + skipped + failed,
    indexed,
    skipped,
    failed,
    errors: errors.map(({ name, reason }) => ({ fileName: name, error: reason ?? "" })),
    message: current.message,
    startedAt: current.started_at,
    finishedAt: current.finished_at,
  };
}
