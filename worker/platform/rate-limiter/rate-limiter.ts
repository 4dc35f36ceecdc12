import { DurableObject } from "cloudflare:workers";
import type { Env } from "#worker/platform/env.ts";
import type { Longest } from "#worker/platform/spending/holds.ts";
import type { Hold, Paid, RateLimiterRpc, Take, Taken } from "./rpc.ts";
import { costWith, leastCost, longestAnswer } from "#worker/platform/spending/longest-answer.ts";

/** What is held counts no longer than this many milliseconds: no turn lasts longer. */
const HOLD_LIFETIME_MS = 60 * 60_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS held (
    reply_id TEXT NOT NULL, generation INTEGER NOT NULL, micros INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (reply_id, generation)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS paid (call_id TEXT PRIMARY KEY NOT NULL, micros INTEGER NOT NULL) WITHOUT ROWID`;

/** Reserves what a call may cost of a limit, as a user's ledger does of their credits; null where too little is left. */
function hold(sql: SqlStorage, { replyId, generation, limitMicros, round, ...priced }: Hold): Longest | null {
  sql.exec(TABLES);
  const now = Date.now();
  sql.exec("DELETE FROM held WHERE at < ?", now - HOLD_LIFETIME_MS);
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

/** Enters what calls cost, each once, and lets go of what was reserved for them. */
function pay(sql: SqlStorage, paid: readonly Paid[]): void {
  sql.exec(TABLES);
  for (const { callId, micros, ended } of paid) {
    sql.exec("INSERT OR IGNORE INTO paid (call_id, micros) VALUES (?, ?)", callId, micros);
    if (ended !== null) releaseHold(sql, ended);
  }
}

/** Lets go of what is reserved for a reply or a call. */
function releaseHold(sql: SqlStorage, replyId: string): void {
  sql.exec(TABLES);
  sql.exec("DELETE FROM held WHERE reply_id = ?", replyId);
}

/** Exact counts for one key (an address, an IP, a guest, a day of the house); forgets itself once nothing of it counts any more. */
export class RateLimiter extends DurableObject<Env> implements RateLimiterRpc {
  take({ limit, since, until }: Take): Taken {
    const sql = this.#openTable();
    sql.exec("DELETE FROM takes WHERE at <= ?", since);
    const { count, first } = sql
      .exec<{ count: number; first: number | null }>("SELECT count(*) AS count, min(until) AS first FROM takes")
      .one();
    if (count >= limit) return { allowed: false, retryAt: first ?? until };
    sql.exec("INSERT INTO takes (at, until) VALUES (?, ?)", Date.now(), until);
    void this.ctx.storage.setAlarm(until);
    return { allowed: true };
  }

  isFull({ limit, since }: Pick<Take, "limit" | "since">): boolean {
    return this.#openTable().exec<{ count: number }>("SELECT count(*) AS count FROM takes WHERE at > ?", since).one().count >= limit;
  }

  uncount(): void {
    this.#openTable().exec("DELETE FROM takes WHERE rowid = (SELECT max(rowid) FROM takes)");
  }

  hold(held: Hold): Longest | null {
    void this.ctx.storage.setAlarm(held.until);
    return hold(this.ctx.storage.sql, held);
  }

  pay(paid: Paid[], until: number): void {
    void this.ctx.storage.setAlarm(until);
    pay(this.ctx.storage.sql, paid);
  }

  letGo(replyId: string): void {
    releaseHold(this.ctx.storage.sql, replyId);
  }

  /** Each time, as the alarm drops the table while the object may live on. */
  #openTable(): SqlStorage {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS takes (at INTEGER NOT NULL, until INTEGER NOT NULL)");
    return sql;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
