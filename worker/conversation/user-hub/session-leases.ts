/**
 * Sessions that the hub may answer for without the database: the row of each was read for a message not long ago. Whatever ends a session,
 * or changes what its person set, drops them; then the row is asked again.
 */

import type { SessionProof } from "#worker/conversation/hub/rpc.ts";

/** A row that was read before its session ended may be on its way for so long. */
const ENDED_MS = 10 * 60_000;
/** What holds nearly as long is not written again. */
const STEP_MS = 60_000;
/** Clocks differ by less. */
const CLOCKS_MS = 60_000;
/** Stands for all sessions: no lease is noted of a row that was read before its time. */
const ALL = "";
/** Stands for all sessions, which ended at its time: what was read before says nothing. */
const ALL_ENDED = "all";
/** The digest of a session that ended. */
const ENDED = "";

type Lease = { digest: string; until: number };

/**
 * True for a session whose row was read for this message, which is noted, or for an earlier one and has said the same since; false for one
 * that has ended, whatever was read before.
 */
export function hasSessionLease(sql: SqlStorage, { id, digest, row }: SessionProof, now = Date.now()): boolean {
  const found = readLease(sql, id);
  const own = found && found.until > now ? found : null;
  if (row === null) return own?.digest === digest;
  if (own?.digest === ENDED || row.at <= timeOf(sql, ALL_ENDED)) return false;
  const isNoted = own?.digest === digest && own.until + STEP_MS >= row.until;
  if (!isNoted && row.at >= timeOf(sql, ALL)) {
    sql.exec("INSERT OR REPLACE INTO leases (session_id, digest, until) VALUES (?, ?, ?)", id, digest, row.until);
  }
  return true;
}

function readLease(sql: SqlStorage, id: string): Lease | null {
  return sql.exec<Lease>("SELECT digest, until FROM leases WHERE session_id = ?", id).toArray()[0] ?? null;
}

/** The time of what stands for all sessions; 0 where there is none. */
function timeOf(sql: SqlStorage, all: string): number {
  return readLease(sql, all)?.until ?? 0;
}

/** Relies on these sessions no more, which ended. */
export function dropEndedSessions(sql: SqlStorage, sessionIds: readonly string[] | "all", now = Date.now()): void {
  if (sessionIds === "all") {
    recheckSessions(sql, now);
    // To the moment, though clocks differ: who ended all of them may sign in again at once.
    return noteTime(sql, ALL_ENDED, now);
  }
  for (const id of sessionIds) {
    sql.exec("INSERT OR REPLACE INTO leases (session_id, digest, until) VALUES (?, ?, ?)", id, ENDED, now + ENDED_MS);
  }
  sql.exec("DELETE FROM leases WHERE until < ? AND session_id NOT IN (?, ?)", now, ALL, ALL_ENDED);
}

/** Has the rows of all sessions asked before their next message, as what they say has changed; sessions that ended stay so. */
export function recheckSessions(sql: SqlStorage, now = Date.now()): void {
  sql.exec("DELETE FROM leases WHERE digest <> ?", ENDED);
  noteTime(sql, ALL, now + CLOCKS_MS);
}

function noteTime(sql: SqlStorage, all: string, at: number): void {
  sql.exec(
    "INSERT INTO leases (session_id, digest, until) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until = max(until, excluded.until)",
    all,
    ENDED,
    at,
  );
}
