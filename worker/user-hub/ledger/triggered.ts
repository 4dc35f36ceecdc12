/** What turns cost in a day of UTC that nobody typed: each counts from when it begins until its charges came. */
import type { TriggeredSpending, TriggeredWish } from "../rpc.ts";

/** What a turn is taken for in micro-dollars until it is charged. */
const UNSETTLED_MICROS = 10_000;
const KEPT_MS = 3 * 24 * 60 * 60_000;

/** Counts a turn that begins, once for each question, unless the day's budget is used up. */
export function admitTriggered(sql: SqlStorage, { id, replyId, budgetMicros }: TriggeredWish, now = Date.now()): TriggeredSpending {
  sql.exec("DELETE FROM triggered WHERE at < ?", new Date(now - KEPT_MS).toISOString());
  const at = new Date(now).toISOString();
  const spentMicros = sql
    .exec<{ n: number }>(
      "SELECT COALESCE(SUM(spent_micros + CASE is_settled WHEN 0 THEN ? ELSE 0 END), 0) AS n FROM triggered WHERE at >= ? AND id <> ?",
      UNSETTLED_MICROS,
      at.slice(0, 10),
      id,
    )
    .one().n;
  if (spentMicros >= budgetMicros) return { isAdmitted: false, spentMicros };
  sql.exec(
    `INSERT INTO triggered (id, reply_id, at, spent_micros, is_settled) VALUES (?, ?, ?, 0, 0)
     ON CONFLICT (id) DO UPDATE SET reply_id = excluded.reply_id, at = excluded.at`,
    id,
    replyId,
    at,
  );
  return { isAdmitted: true, spentMicros: spentMicros + UNSETTLED_MICROS };
}

/** Adds a charge of a reply, where its turn is such a one. */
export function addTriggered(
  sql: SqlStorage,
  { replyId, amountMicros, isLast }: { replyId: string; amountMicros: number; isLast: boolean },
): void {
  sql.exec(
    "UPDATE triggered SET spent_micros = spent_micros + ?, is_settled = max(is_settled, ?) WHERE reply_id = ?",
    amountMicros,
    Number(isLast),
    replyId,
  );
}
