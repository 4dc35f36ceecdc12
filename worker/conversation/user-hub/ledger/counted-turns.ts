/** What turns cost that have a budget beside the credits: each counts from when it begins until its charges came. */
import type { CountedSpending, CountedTurn } from "#worker/people/hub/rpc.ts";
import type { Hold } from "#worker/platform/spending/holds.ts";
import type { Funds } from "./funds.ts";
import { refuseForDay, refuseForKey } from "./refusals.ts";

/** What a turn is taken for in micro-dollars: one of a key until its own reservation is made, others until they are charged. */
const UNSETTLED_MICROS = 10_000;
const COUNTED = ["triggered", "key_turns"] as const;
const DAY_MS = 24 * 60 * 60_000;
const TRIGGERED_RETENTION_MS = 3 * DAY_MS;
const KEY_TURNS_RETENTION_MS = 40 * DAY_MS;
/** A turn of a key that never reported its end counts no longer than this many milliseconds. */
const UNSETTLED_MS = 60 * 60_000;

/** Counts a turn that begins unless its budget is used up: one that nobody typed by the day of UTC, once for each question, a key's by the month. */
export function countTurn(sql: SqlStorage, turn: CountedTurn, now = Date.now()): CountedSpending {
  return turn.kind === "triggered" ? admitTriggered(sql, turn, now) : admitKeyed(sql, turn, now);
}

type Of<Kind> = Extract<CountedTurn, { kind: Kind }>;

function admitTriggered(sql: SqlStorage, { id, replyId, budgetMicros }: Of<"triggered">, now: number): CountedSpending {
  sql.exec("DELETE FROM triggered WHERE at < ?", new Date(now - TRIGGERED_RETENTION_MS).toISOString());
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
    `INSERT INTO triggered (id, reply_id, at, spent_micros, is_settled, budget_micros) VALUES (?, ?, ?, 0, 0, ?)
     ON CONFLICT (id) DO UPDATE SET reply_id = excluded.reply_id, at = excluded.at, budget_micros = excluded.budget_micros`,
    id,
    replyId,
    at,
    budgetMicros,
  );
  return { isAdmitted: true, spentMicros: spentMicros + UNSETTLED_MICROS };
}

function admitKeyed(sql: SqlStorage, { keyId, replyId, budgetMicros }: Of<"key">, now: number): CountedSpending {
  sql.exec("DELETE FROM key_turns WHERE at < ?", new Date(now - KEY_TURNS_RETENTION_MS).toISOString());
  const spentMicros = keysSpent(sql, now)[keyId] ?? 0;
  if (budgetMicros !== null && spentMicros >= budgetMicros) return { isAdmitted: false, spentMicros };
  const at = new Date(now).toISOString();
  sql.exec(
    "INSERT INTO key_turns (reply_id, key_id, at, spent_micros, is_settled, budget_micros) VALUES (?, ?, ?, 0, 0, ?)",
    replyId,
    keyId,
    at,
    budgetMicros,
  );
  return { isAdmitted: true, spentMicros: spentMicros + UNSETTLED_MICROS };
}

/** What a turn on its way is reserved for, its calls' reservations with it. */
const reservedSql = (turns: string) =>
  `COALESCE((SELECT SUM(amount_micros) FROM reservations r WHERE r.reply_id = ${turns}.reply_id), ${UNSETTLED_MICROS})`;

/** What each key's turns cost in this month of UTC, in micro-dollars, with what is reserved for those on their way, and for what they caused. */
export function keysSpent(sql: SqlStorage, now = Date.now()): Record<string, number> {
  const rows = sql.exec<{ key_id: string; n: number }>(
    `SELECT key_id, SUM(micros) AS n FROM (
       SELECT key_id, spent_micros + CASE WHEN is_settled = 0 AND at > ?1 THEN ${reservedSql("key_turns")} ELSE 0 END AS micros FROM key_turns WHERE at >= ?2
       UNION ALL SELECT key_id, amount_micros FROM reservations r JOIN key_turns ON key_turns.reply_id = r.caused_by WHERE key_turns.at >= ?2
     ) GROUP BY key_id`,
    new Date(now - UNSETTLED_MS).toISOString(),
    new Date(now).toISOString().slice(0, 7),
  );
  return Object.fromEntries([...rows].map(({ key_id, n }) => [key_id, n]));
}

/**
 * What is left of a reply's budget beside the credits, with what is reserved for itself under another generation taken off: of its key's month, or of the
 * day for what nobody typed. What is reserved under an id of its own has the budget of the reply that caused it.
 */
export function budgetsOfReply(sql: SqlStorage, hold: Hold, replyId = hold.replyId): Funds[] {
  const key = sql
    .exec<{ key_id: string; budget_micros: number }>(
      "SELECT key_id, budget_micros FROM key_turns WHERE reply_id = ? AND budget_micros IS NOT NULL",
      replyId,
    )
    .toArray()[0];
  // What goes on another day goes on by its person's word.
  const today = new Date().toISOString().slice(0, 10);
  const day = sql
    .exec<{ budget_micros: number }>(
      "SELECT budget_micros FROM triggered WHERE reply_id = ? AND at >= ? AND budget_micros IS NOT NULL",
      replyId,
      today,
    )
    .toArray()[0];
  return [
    ...(key
      ? [{ leftMicros: key.budget_micros - (keysSpent(sql)[key.key_id] ?? 0) + ownCounted(sql, hold, replyId), refuse: refuseForKey }]
      : []),
    ...(day ? [{ leftMicros: day.budget_micros - daySpent(sql, today) + ownCounted(sql, hold, replyId), refuse: refuseForDay }] : []),
  ];
}

/** What is counted for a turn that this hold takes the place of: its own hold, or what it was taken for before its first. */
function ownCounted(sql: SqlStorage, { replyId, generation }: Hold, counted: string): number {
  const own = sql
    .exec<{ n: number | null; same: number | null }>(
      "SELECT SUM(amount_micros) AS n, SUM(amount_micros) FILTER (WHERE generation = ?) AS same FROM reservations WHERE reply_id = ?",
      generation,
      replyId,
    )
    .one();
  return own.n === null && replyId === counted ? UNSETTLED_MICROS : (own.same ?? 0);
}

/** What turns that nobody typed cost on a day of UTC, with what is reserved for those on their way, and for what they caused. */
function daySpent(sql: SqlStorage, day: string): number {
  return sql
    .exec<{ n: number }>(
      `SELECT COALESCE(SUM(micros), 0) AS n FROM (
         SELECT spent_micros + CASE is_settled WHEN 0 THEN ${reservedSql("triggered")} ELSE 0 END AS micros FROM triggered WHERE at >= ?1
         UNION ALL SELECT amount_micros FROM reservations r JOIN triggered ON triggered.reply_id = r.caused_by WHERE triggered.at >= ?1
       )`,
      day,
    )
    .one().n;
}

/** Takes a turn out of the count that did not begin. */
export function uncountTurn(sql: SqlStorage, replyId: string): void {
  for (const table of COUNTED) sql.exec(`DELETE FROM ${table} WHERE reply_id = ? AND spent_micros = 0 AND is_settled = 0`, replyId);
}

/** Adds a charge of a reply to the budget that its turn was counted against, where it has one. */
export function chargeBudget(
  sql: SqlStorage,
  { replyId, amountMicros, isLast }: { replyId: string; amountMicros: number; isLast: boolean },
): void {
  for (const table of COUNTED) {
    sql.exec(
      `UPDATE ${table} SET spent_micros = spent_micros + ?, is_settled = max(is_settled, ?) WHERE reply_id = ?`,
      amountMicros,
      Number(isLast),
      replyId,
    );
  }
}
