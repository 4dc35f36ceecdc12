import { costWith, leastCost, longestAnswer } from "../credits/longest-answer.ts";
import type { Longest } from "../user-hub/rpc.ts";
import type { Hold, Paid } from "./rpc.ts";

/** What is held counts no longer than this many milliseconds: no turn lasts longer. */
const HELD_MS = 60 * 60_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS held (
    reply_id TEXT NOT NULL, generation INTEGER NOT NULL, micros INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (reply_id, generation)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS paid (call_id TEXT PRIMARY KEY NOT NULL, micros INTEGER NOT NULL) WITHOUT ROWID`;

/** Holds back what a call may cost of a limit, as a user's ledger does of their credits; null where too little is left. */
export function hold(sql: SqlStorage, { replyId, generation, limitMicros, round, ...priced }: Hold): Longest | null {
  sql.exec(TABLES);
  const now = Date.now();
  sql.exec("DELETE FROM held WHERE at < ?", now - HELD_MS);
  if (round) sql.exec("DELETE FROM held WHERE reply_id = ? AND generation < 0", replyId);
  const { n } = sql
    .exec<{ n: number }>(
      `SELECT COALESCE((SELECT SUM(micros) FROM held WHERE (reply_id, generation) <> (?, ?)), 0) + COALESCE((SELECT SUM(micros) FROM paid), 0) AS n`,
      replyId,
      generation,
    )
    .one();
  const spentMicros = round?.spentMicros ?? 0;
  const left = limitMicros - n - spentMicros;
  if (left <= 0 || left < leastCost(priced)) return null;
  const maxTokens = longestAnswer(left, priced);
  sql.exec(
    "INSERT OR REPLACE INTO held (reply_id, generation, micros, at) VALUES (?, ?, ?, ?)",
    replyId,
    generation,
    spentMicros + costWith(priced, maxTokens),
    now,
  );
  return { maxTokens };
}

/** Enters what calls cost, each once, and lets go of what was held for them. */
export function pay(sql: SqlStorage, paid: readonly Paid[]): void {
  sql.exec(TABLES);
  for (const { callId, micros, ended } of paid) {
    sql.exec("INSERT OR IGNORE INTO paid (call_id, micros) VALUES (?, ?)", callId, micros);
    if (ended !== null) letGo(sql, ended);
  }
}

/** Lets go of what is held for a reply or a call. */
export function letGo(sql: SqlStorage, replyId: string): void {
  sql.exec(TABLES);
  sql.exec("DELETE FROM held WHERE reply_id = ?", replyId);
}
