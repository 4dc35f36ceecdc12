import * as z from "zod/mini";
import type { UsageBy, UsageRow } from "#shared/contracts/account/usage.ts";
import { CALLS_PER_GENERATION, generationOf, holdGenerationOf } from "#worker/conversation/room/rpc.ts";
import type { Charge } from "#worker/platform/spending/holds.ts";
import { costWith, leastCost, longestAnswer } from "#worker/platform/spending/longest-answer.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { type CallInput, type Hold, type Longest, RESERVATION_MS } from "#worker/platform/spending/holds.ts";
import type { LedgerEntry } from "#worker/people/hub/rpc.ts";
import { refuseForBudget, refuseForCredits } from "./refusals.ts";
import type { TeamBudget } from "./team-budgets.ts";
import { chargeBudget, budgetsOfReply } from "./counted-turns.ts";
import type { Funds } from "./funds.ts";

/** The month of UTC of a time in ISO 8601. */
const monthOf = (at: string): string => at.slice(0, 7);

/** What signing up gave, in the ledger once. */
const SIGN_UP_GRANT = "grant:sign-up";

/** The balance in micro-dollars. */
export function balanceOf(sql: SqlStorage): number {
  return lastEntry(sql)?.balance_micros ?? 0;
}

/** True once the sign-up's credits are in the ledger. */
export function hasGrant(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM ledger WHERE call_id = ?", SIGN_UP_GRANT).toArray().length > 0;
}

/** Enters what signing up gave, once. */
export function grantSignUp(sql: SqlStorage, amountMicros: number): void {
  enter(sql, { callId: SIGN_UP_GRANT, what: "grant", chatId: null, messageId: null, modelId: null, amountMicros, isHouse: false });
}

/** Enters a gift of credits, once for each id; true where it is new. */
export function grant(sql: SqlStorage, { id, amountMicros }: { id: string; amountMicros: number }): boolean {
  const nothing = { chatId: null, messageId: null, modelId: null, isHouse: false };
  return enter(sql, { callId: `grant:${id}`, what: "grant", amountMicros, ...nothing });
}

/**
 * Reserves what a reply, which has its chat named, or a call may cost, once, and answers how long its answer may be; refused when the least of it
 * is more than what is left of the credits, or of a budget that applies, beside other replies in progress.
 */
export function reserve(
  sql: SqlStorage,
  { replyId, generation, teamId = null, chatId = null, round, causedBy, ...priced }: CallInput & { chatId?: string | null },
  budget: TeamBudget | null,
): Outcome<Longest> {
  const now = Date.now();
  lapse(sql, now - RESERVATION_MS);
  if (chatId !== null && isAnotherChats(sql, { replyId, generation, chatId })) return { ok: false, code: "CONFLICT" };
  // The calls of a reply have ended when its next round begins: what they cost is among what the round says was spent.
  if (round) sql.exec("DELETE FROM reservations WHERE reply_id = ? AND generation < 0", replyId);
  const reserved = sql
    .exec<{ all_micros: number; team_micros: number }>(
      `SELECT COALESCE(SUM(amount_micros), 0) AS all_micros, COALESCE(SUM(amount_micros) FILTER (WHERE team_id = ?), 0) AS team_micros
       FROM reservations WHERE (reply_id, generation) <> (?, ?)`,
      teamId,
      replyId,
      generation,
    )
    .one();
  const team = teamId === null || budget === null ? null : { id: teamId, budget };
  const pots: Funds[] = [
    { leftMicros: balanceOf(sql) - reserved.all_micros, refuse: refuseForCredits },
    ...(team
      ? [
          {
            leftMicros: team.budget.micros - (teamsSpent(sql)[team.id] ?? 0) - reserved.team_micros,
            refuse: (short) => refuseForBudget(team.budget, short),
          } satisfies Funds,
        ]
      : []),
    ...budgetsOfReply(sql, { replyId, generation }, causedBy),
  ];
  const spentMicros = round?.spentMicros ?? 0;
  const amountMicros = leastCost(priced);
  for (const { leftMicros, refuse } of pots) {
    const availableMicros = leftMicros - spentMicros;
    if (availableMicros <= 0 || availableMicros < amountMicros) return refuse({ availableMicros, amountMicros });
  }
  const maxTokens = longestAnswer(Math.min(...pots.map(({ leftMicros }) => leftMicros)) - spentMicros, priced);
  // The first that asked for a reply may have begun it with what it was allowed; a later round takes the place of the one before.
  sql.exec(
    `INSERT INTO reservations (reply_id, generation, amount_micros, at, chat_id, team_id, caused_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?8)
     ON CONFLICT DO UPDATE SET amount_micros = CASE WHEN ?7 THEN ?3 ELSE max(amount_micros, ?3) END, at = CASE WHEN ?7 THEN ?4 ELSE at END`,
    replyId,
    generation,
    spentMicros + costWith(priced, maxTokens),
    now,
    chatId,
    teamId,
    Number(round !== undefined),
    causedBy ?? null,
  );
  return { ok: true, value: { maxTokens } };
}

/** True for a reply's id that is held or was charged for another chat of the same payer: what both cost would be entered once. */
function isAnotherChats(sql: SqlStorage, { replyId, generation, chatId }: Hold & { chatId: string }): boolean {
  const query = `SELECT 1 FROM reservations WHERE reply_id = ?1 AND chat_id <> ?2
    UNION ALL SELECT 1 FROM ledger WHERE call_id IN (?3 || '0', ?3 || 'broken') AND chat_id <> ?2 LIMIT 1`;
  return sql.exec(query, replyId, chatId, `${replyId}:${generation}:`).toArray().length > 0;
}

/** Lets go of what was reserved before a time. Whoever asked for a completion of theirs may have left it in the middle, so its estimate is entered. */
function lapse(sql: SqlStorage, before: number): void {
  const lapsed = sql
    .exec<{ reply_id: string; amount_micros: number }>("DELETE FROM reservations WHERE at < ? RETURNING reply_id, amount_micros", before)
    .toArray();
  for (const { reply_id: callId, amount_micros: amountMicros } of lapsed) {
    if (!callId.startsWith("completion:")) continue;
    const nowhere = { chatId: null, messageId: null, modelId: null, isHouse: false };
    if (enter(sql, { callId, what: "completion", amountMicros: -amountMicros, ...nowhere }))
      chargeBudget(sql, { replyId: callId, amountMicros, isLast: true });
  }
}

/** Gives back what was reserved for a reply that did not begin. */
export function release(sql: SqlStorage, { replyId, generation }: Hold): void {
  sql.exec("DELETE FROM reservations WHERE reply_id = ? AND generation = ?", replyId, generation);
}

/** Gives back what was reserved for a reply up to the generation that ended: one that began again by itself reserves under its first. */
function releaseEnded(sql: SqlStorage, { replyId, generation }: Hold): void {
  // The holds of a generation's calls stand below zero; those of a later one are still needed.
  sql.exec(
    "DELETE FROM reservations WHERE reply_id = ? AND generation <= ? AND generation > ?",
    replyId,
    generation,
    -((generation + 1) * CALLS_PER_GENERATION),
  );
}

/** Enters charges, each call once however often it is reported. Answers whether the balance changed. */
export function settle(sql: SqlStorage, charges: Charge[]): boolean {
  let changed = false;
  for (const { replyId, amountMicros, ...charge } of charges) {
    const { callId, what, isHouse } = charge;
    const isNew = enter(sql, { ...charge, messageId: replyId, amountMicros: -amountMicros });
    if (isNew && !isHouse) chargeBudget(sql, { replyId, amountMicros, isLast: what === "reply" || what === "completion" });
    if (what === "title" || what === "compaction") release(sql, { replyId: callId, generation: 0 });
    if (what === "tool") release(sql, { replyId, generation: holdGenerationOf(callId) });
    if (what === "reply") releaseEnded(sql, { replyId, generation: generationOf(callId) });
    changed ||= isNew && !isHouse && amountMicros !== 0;
  }
  return changed;
}

type Entry = Pick<Charge, "callId" | "amountMicros" | "isHouse" | "teamId" | "tokens"> & {
  what: Charge["what"] | "grant";
  chatId: string | null;
  messageId: string | null;
  modelId: string | null;
};

function enter(sql: SqlStorage, entry: Entry): boolean {
  const { callId, what, chatId, messageId, modelId, amountMicros, isHouse, teamId = null, tokens = 0 } = entry;
  const last = lastEntry(sql);
  const balance = (last?.balance_micros ?? 0) + (isHouse ? 0 : amountMicros);
  const at = new Date().toISOString();
  const spent = isHouse || teamId === null ? spentIn(last, at) : addSpent(spentIn(last, at), teamId, -amountMicros);
  const rows = sql.exec(
    `INSERT INTO ledger (call_id, at, what, chat_id, message_id, model_id, amount_micros, is_house, balance_micros, team_id, tokens, team_spent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (call_id) DO NOTHING RETURNING seq`,
    callId,
    at,
    what,
    chatId,
    messageId,
    modelId,
    amountMicros,
    Number(isHouse),
    balance,
    teamId,
    tokens,
    spent && JSON.stringify(spent),
  );
  return rows.toArray().length > 0;
}

type Last = { balance_micros: number; team_spent: string | null };

function lastEntry(sql: SqlStorage): Last | undefined {
  return sql.exec<Last>("SELECT balance_micros, team_spent FROM ledger ORDER BY seq DESC LIMIT 1").toArray()[0];
}

/** What was spent in each team in a month of UTC, in micro-dollars. */
const TeamSpent = z.object({ month: z.string(), teams: z.record(z.string(), z.number()) });
type TeamSpent = z.infer<typeof TeamSpent>;

/** What an entry says was spent in each team, where that is of the month of `at`. */
function spentIn(last: Last | undefined, at: string): TeamSpent | null {
  const spent = last?.team_spent ? TeamSpent.parse(JSON.parse(last.team_spent)) : null;
  return spent?.month === monthOf(at) ? spent : null;
}

function addSpent(spent: TeamSpent | null, teamId: string, micros: number): TeamSpent {
  return {
    month: spent?.month ?? monthOf(new Date().toISOString()),
    teams: { ...spent?.teams, [teamId]: (spent?.teams[teamId] ?? 0) + micros },
  };
}

/** What was spent in each team this month, in micro-dollars. */
export function teamsSpent(sql: SqlStorage): Record<string, number> {
  return spentIn(lastEntry(sql), new Date().toISOString())?.teams ?? {};
}

/** Takes over what a guest's ledger recorded; the house paid for it, so the balance stays. */
export function adoptGuestEntries(sql: SqlStorage, entries: LedgerEntry[]): void {
  for (const { call_id, at, what, chat_id, message_id, model_id, amount_micros, tokens } of entries) {
    const last = lastEntry(sql);
    sql.exec(
      `INSERT INTO ledger (call_id, at, what, chat_id, message_id, model_id, amount_micros, is_house, balance_micros, tokens, team_spent)
       VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT (call_id) DO NOTHING`,
      call_id,
      at,
      what,
      chat_id,
      message_id,
      model_id,
      amount_micros,
      last?.balance_micros ?? 0,
      tokens ?? 0,
      last?.team_spent ?? null,
    );
  }
}

/** Entries newest first, a page below `before`. */
export function readEntries(sql: SqlStorage, { before, limit }: { before: number; limit: number }): (LedgerEntry & { seq: number })[] {
  return sql.exec<LedgerEntry & { seq: number }>("SELECT * FROM ledger WHERE seq < ? ORDER BY seq DESC LIMIT ?", before, limit).toArray();
}

const KEYS: Record<UsageBy, { key: string; label: string; order: string }> = {
  day: { key: "substr(l.at, 1, 10)", label: "substr(l.at, 1, 10)", order: "key DESC" },
  model: { key: "COALESCE(l.model_id, '')", label: "COALESCE(l.model_id, '')", order: "cost DESC" },
  chat: { key: "COALESCE(l.chat_id, '')", label: "COALESCE(MAX(json_extract(NULLIF(c.row, ''), '$.title')), '')", order: "cost DESC" },
};

/** At most this many groups; a chart shows no more. */
const USAGE_ROWS = 366;

/** Own spending by day, model or chat; what the house paid is left out. */
export function usageBy(sql: SqlStorage, by: UsageBy): UsageRow[] {
  const { key, label, order } = KEYS[by];
  return sql
    .exec<{ key: string; label: string; cost: number; calls: number }>(
      `SELECT ${key} AS key, ${label} AS label, -SUM(l.amount_micros) AS cost, COUNT(*) AS calls
       FROM ledger l LEFT JOIN chats c ON c.id = l.chat_id
       WHERE l.what <> 'grant' AND l.is_house = 0 GROUP BY 1 ORDER BY ${order} LIMIT ${USAGE_ROWS}`,
    )
    .toArray()
    .map((row) => ({ ...row, cost: fromMicros(row.cost) }));
}

/** All that was spent of one's own, in micro-dollars. */
export function totalSpent(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT COALESCE(-SUM(amount_micros), 0) AS n FROM ledger WHERE what <> 'grant' AND is_house = 0").one().n;
}
