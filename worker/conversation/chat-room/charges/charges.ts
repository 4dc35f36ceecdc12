import type { MessageUsage } from "#shared/entities/message.ts";
import type { TurnCost } from "#worker/conversation/turn/cost.ts";
import type { Charge } from "#worker/platform/spending/holds.ts";
import { ChargeKind } from "#worker/platform/spending/charge-kind.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { teamOf } from "../chat.ts";

/** A call that was made and has yet to reach its payer's ledger; without an amount its cost has yet to be looked up. */
export type PendingCharge = Omit<Charge, "amountMicros" | "tokens"> & {
  tokens: number;
  payerId: string;
  amountMicros: number | null;
  /** What it is taken for when no cost can be looked up, in micro-dollars. */
  estimateMicros: number;
  generationId: string | null;
};

type Row = {
  call_id: string;
  payer_id: string;
  reply_id: string;
  what: string;
  model_id: string;
  amount_micros: number | null;
  estimate_micros: number;
  generation_id: string | null;
  is_house: number;
  tokens: number;
};

/** Notes a call's charge; call it inside the transaction of what it paid for. */
export function noteCharge(sql: SqlStorage, charge: Omit<PendingCharge, "chatId" | "teamId">): void {
  sql.exec(
    `INSERT INTO charges (call_id, payer_id, reply_id, what, model_id, amount_micros, estimate_micros, generation_id, is_house, tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (call_id) DO NOTHING`,
    charge.callId,
    charge.payerId,
    charge.replyId,
    charge.what,
    charge.modelId,
    charge.amountMicros,
    charge.estimateMicros,
    charge.generationId,
    Number(charge.isHouse),
    charge.tokens,
  );
}

type Call = { callId: string; turn: StoredTurn; what: "round" | "tool"; modelId: string; cost: TurnCost; usage: Tokens | null };

/** Notes what a call within a turn cost, and adds it to the message and the chat; call it inside the transaction of what it paid for. */
export function chargeCall(sql: SqlStorage, { callId, turn, what, modelId, cost, usage }: Call): void {
  const { reader } = turn.request;
  const micros = cost.known ? (cost.micros ?? 0) : 0;
  noteCharge(sql, {
    callId,
    payerId: reader.userId,
    replyId: turn.replyId,
    what,
    modelId,
    ...amountOf(cost),
    isHouse: reader.anonymous,
    tokens: tokensOf(usage),
  });
  if (micros === 0) return;
  sql.exec("UPDATE chat SET cost_micros = cost_micros + ?", micros);
  addMessageCost(sql, turn.replyId, micros);
}

type RunCharge = { callId: string; replyId: string; payerId: string; modelId: string; micros: number };

/** Notes what was paid to a service for what a call set going, once its reply has ended; call it inside the transaction of its end. */
export function chargeRun(sql: SqlStorage, { callId, replyId, payerId, modelId, micros }: RunCharge): void {
  const known = { amountMicros: micros, estimateMicros: 0, generationId: null };
  noteCharge(sql, { callId: `${callId}:run`, payerId, replyId, what: "tool", modelId, ...known, isHouse: false, tokens: 0 });
  if (micros === 0) return;
  sql.exec("UPDATE chat SET cost_micros = cost_micros + ?", micros);
  sql.exec("UPDATE tool_calls SET cost_micros = COALESCE(cost_micros, 0) + ? WHERE reply_id = ? AND id = ?", micros, replyId, callId);
  addMessageCost(sql, replyId, micros);
}

type Tokens = Pick<MessageUsage, "prompt_tokens" | "completion_tokens">;

/** How many tokens a call read and wrote. */
export function tokensOf(usage: Tokens | null): number {
  return usage === null ? 0 : usage.prompt_tokens + usage.completion_tokens;
}

/** A cost as a charge says it. */
export function amountOf(cost: TurnCost): Pick<PendingCharge, "amountMicros" | "estimateMicros" | "generationId"> {
  if (cost.known) return { amountMicros: cost.micros ?? 0, estimateMicros: 0, generationId: null };
  return { amountMicros: null, estimateMicros: cost.estimateMicros, generationId: cost.generationId };
}

function addMessageCost(sql: SqlStorage, id: string, micros: number): void {
  sql.exec("UPDATE messages SET cost_micros = COALESCE(cost_micros, 0) + ? WHERE id = ?", micros, id);
}

/** What a reply cost so far, in micro-dollars; calls whose cost has yet to be looked up at their estimates. */
export function spentOnReply(sql: SqlStorage, replyId: string): number {
  return sql
    .exec<{ n: number }>(
      `SELECT COALESCE((SELECT cost_micros FROM messages WHERE id = ?1), 0)
         + COALESCE((SELECT SUM(estimate_micros) FROM charges WHERE reply_id = ?1 AND amount_micros IS NULL), 0) AS n`,
      replyId,
    )
    .one().n;
}

/** What this payer's ledger has yet to learn of, in micro-dollars; calls whose cost has yet to be looked up at their estimates. */
export function unreportedMicros(sql: SqlStorage, payerId: string): number {
  return sql
    .exec<{ n: number }>("SELECT COALESCE(SUM(COALESCE(amount_micros, estimate_micros)), 0) AS n FROM charges WHERE payer_id = ?", payerId)
    .one().n;
}

/** Charges that wait for this payer's ledger. */
export function pendingChargesOf(sql: SqlStorage, payerId: string, chatId: string): Charge[] {
  return sql
    .exec<Row>("SELECT * FROM charges WHERE payer_id = ? AND amount_micros IS NOT NULL", payerId)
    .toArray()
    .map((row) => ({ ...toCharge(sql, row, chatId), amountMicros: row.amount_micros ?? 0 }));
}

/** The ids of those whose ledgers have yet to learn of a charge. */
export function payerIds(sql: SqlStorage): string[] {
  return sql
    .exec<{ payer_id: string }>("SELECT DISTINCT payer_id FROM charges")
    .toArray()
    .map((row) => row.payer_id);
}

/** True while a charge has not reached its ledger. */
export function hasCharges(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM charges LIMIT 1").toArray().length > 0;
}

/** Charges whose cost is not known yet. */
export function unknownCharges(sql: SqlStorage, chatId: string): PendingCharge[] {
  return sql
    .exec<Row>("SELECT * FROM charges WHERE amount_micros IS NULL")
    .toArray()
    .map((row) => ({
      ...toCharge(sql, row, chatId),
      payerId: row.payer_id,
      amountMicros: null,
      estimateMicros: row.estimate_micros,
      generationId: row.generation_id,
    }));
}

function toCharge(
  sql: SqlStorage,
  row: Row,
  chatId: string,
): Omit<PendingCharge, "payerId" | "amountMicros" | "estimateMicros" | "generationId"> {
  return {
    callId: row.call_id,
    replyId: row.reply_id,
    chatId,
    what: ChargeKind.parse(row.what),
    modelId: row.model_id,
    isHouse: row.is_house === 1,
    teamId: teamOf(sql),
    tokens: row.tokens,
  };
}

/** Forgets charges that reached their ledger. */
export function dropCharges(sql: SqlStorage, charges: Charge[]): void {
  sql.exec("DELETE FROM charges WHERE call_id IN (SELECT value FROM json_each(?))", JSON.stringify(charges.map(({ callId }) => callId)));
}

/** Enters a cost that became known: into the charge, its message and the chat's total. */
export function resolveCharge(sql: SqlStorage, { callId, replyId, what }: PendingCharge, amountMicros: number): void {
  sql.exec("UPDATE charges SET amount_micros = ? WHERE call_id = ?", amountMicros, callId);
  sql.exec("UPDATE chat SET cost_micros = cost_micros + ?", amountMicros);
  if (what === "reply" || what === "round" || what === "tool") addMessageCost(sql, replyId, amountMicros);
}
