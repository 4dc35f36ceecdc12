import * as z from "zod/mini";
import { Timestamp } from "#shared/entities/ids.ts";
import { Run } from "#shared/entities/outbound/run.ts";
import type { StoredRun } from "#worker/conversation/tools/outside/follower.ts";
import { PrivateSource } from "#worker/conversation/tools/private-source.ts";

/** Runs that one chat shows. */
const SHOWN = 50;

type Row = {
  call_id: string;
  user_id: string;
  ref: string | null;
  turn_id: string;
  is_concluded: number;
  is_stopping: number;
  run: string;
};

const Stored = z.extend(z.omit(Run, { call_id: true }), {
  starts_at: z._default(z.nullable(Timestamp), null),
  sources: z._default(z.array(PrivateSource), []),
  order: z._default(z.unknown(), null),
});

/** Notes what is about to begin; false where it is noted already. */
export function insertRun(sql: SqlStorage, run: StoredRun): boolean {
  return (
    sql
      .exec(
        `INSERT INTO runs (call_id, user_id, state, ref, turn_id, is_concluded, is_stopping, run) VALUES (?, ?, ?, ?, ?, 0, 0, ?)
         ON CONFLICT DO NOTHING RETURNING call_id`,
        run.call_id,
        run.userId,
        run.state,
        run.ref,
        run.turnId,
        toJson(run),
      )
      .toArray().length > 0
  );
}

/** Forgets what did not begin. */
export function deleteRun(sql: SqlStorage, callId: string): void {
  sql.exec("DELETE FROM runs WHERE call_id = ?", callId);
}

/** Stores how a run now stands. */
export function updateRun(sql: SqlStorage, run: StoredRun): void {
  sql.exec(
    "UPDATE runs SET state = ?, ref = ?, is_concluded = ?, is_stopping = ?, run = ? WHERE call_id = ?",
    run.state,
    run.ref,
    Number(run.isConcluded),
    Number(run.isStopping),
    toJson(run),
    run.call_id,
  );
}

/** A run by the call that began it. */
export function findRun(sql: SqlStorage, callId: string): StoredRun | null {
  const row = sql.exec<Row>("SELECT * FROM runs WHERE call_id = ?", callId).toArray()[0];
  return row ? toRun(row) : null;
}

/** The newest runs, newest first. */
export function listRuns(sql: SqlStorage): Run[] {
  return sql
    .exec<Row>("SELECT * FROM runs ORDER BY seq DESC LIMIT ?", SHOWN)
    .toArray()
    .map((row) => Run.parse(toRun(row)));
}

/** Those under way. */
export function liveRuns(sql: SqlStorage): StoredRun[] {
  return sql.exec<Row>("SELECT * FROM runs WHERE state IN ('starting', 'running')").toArray().map(toRun);
}

/** The calls of those that have ended without a message to the chat. */
export function unnotifiedRuns(sql: SqlStorage): string[] {
  return sql
    .exec<{ call_id: string }>(
      "SELECT call_id FROM runs WHERE is_concluded = 0 AND state NOT IN ('planned', 'starting', 'running') ORDER BY seq",
    )
    .toArray()
    .map(({ call_id: callId }) => callId);
}

/** The messages that runs began of themselves. */
export function turnsOfRuns(sql: SqlStorage): ReadonlySet<string> {
  return new Set(
    sql
      .exec<{ turn_id: string }>("SELECT turn_id FROM runs")
      .toArray()
      .map(({ turn_id: id }) => id),
  );
}

/** True for the message that the end of a run began. */
export function isTurnOfRun(sql: SqlStorage, messageId: string): boolean {
  return sql.exec("SELECT 1 FROM runs WHERE turn_id = ?", messageId).toArray().length > 0;
}

function toJson({
  call_id: _call,
  ref: _ref,
  userId: _user,
  turnId: _turn,
  isConcluded: _told,
  isStopping: _stopping,
  ...run
}: StoredRun): string {
  return JSON.stringify(run);
}

function toRun(row: Row): StoredRun {
  return {
    ...Stored.parse(JSON.parse(row.run)),
    call_id: row.call_id,
    userId: row.user_id,
    ref: row.ref,
    turnId: row.turn_id,
    isConcluded: row.is_concluded === 1,
    isStopping: row.is_stopping === 1,
  };
}
