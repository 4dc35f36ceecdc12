/** A reply's rounds of tool calls in storage: what a model asked for, and how far each call came. */
import * as z from "zod/mini";
import { MessageUsage } from "#shared/entities/message.ts";
import { ToolApproval, ToolCallStatus, ToolImage, ToolPart, ToolSource } from "#shared/entities/tool-call.ts";
import type { StoredCall, StoredRound } from "#worker/conversation/turn/round.ts";
import type { ReasoningDetail } from "#worker/platform/clients/prompt.ts";

type RoundRow = {
  reply_id: string;
  round: number;
  text_end: number;
  reasoning_end: number;
  reasoning_ms: number;
  reasoning_details: string | null;
  usage: string | null;
};

type CallRow = {
  reply_id: string;
  round: number;
  id: string;
  given_id: string;
  generation: number;
  tool: string;
  arguments: string;
  edited_input: string | null;
  status: string;
  delivery: string;
  approval: string | null;
  at: number;
  output: string | null;
  sources: string | null;
  images: string | null;
  parts: string | null;
  cost_micros: number | null;
  duration_ms: number | null;
};

const DELIVERY = z.enum(["pending", "sent", "done"]);
const DETAILS = z.array(z.record(z.string(), z.unknown()));

/** The rounds of these replies, in order, by reply; a reply without any is not in it. */
export function readRounds(sql: SqlStorage, replyIds: readonly string[]): Map<string, StoredRound[]> {
  const found = new Map<string, StoredRound[]>();
  // Most chats have none, so a long path need not ask for each message.
  if (sql.exec("SELECT 1 FROM tool_rounds LIMIT 1").toArray().length === 0) return found;
  const rounds = sql
    .exec<RoundRow>("SELECT * FROM tool_rounds WHERE reply_id IN (SELECT value FROM json_each(?)) ORDER BY round", JSON.stringify(replyIds))
    .toArray();
  if (rounds.length === 0) return found;
  const calls = readCalls(sql, replyIds);
  for (const row of rounds) {
    const own = (calls.get(row.reply_id) ?? []).filter(({ round }) => round === row.round);
    found.set(row.reply_id, [...(found.get(row.reply_id) ?? []), toRound(row, own)]);
  }
  return found;
}

/** The tool calls of these replies, in order, by reply; a reply without any is not in it. */
export function readCalls(sql: SqlStorage, replyIds: readonly string[]): Map<string, StoredCall[]> {
  const rows = sql.exec<CallRow>(
    "SELECT * FROM tool_calls WHERE reply_id IN (SELECT value FROM json_each(?)) ORDER BY round, position",
    JSON.stringify(replyIds),
  );
  const found = new Map<string, StoredCall[]>();
  for (const row of rows) found.set(row.reply_id, [...(found.get(row.reply_id) ?? []), toCall(row)]);
  return found;
}

/** The calls of the turn under way, or else of the newest reply, that waited for somebody's word and have it. */
export function decidedCalls(sql: SqlStorage): StoredCall[] {
  return sql
    .exec<CallRow>(
      `SELECT * FROM tool_calls WHERE reply_id = (SELECT COALESCE(json_extract(turn, '$.replyId'), head_id) FROM chat)
         AND json_extract(approval, '$.since') IS NOT NULL AND json_extract(approval, '$.decision') IS NOT NULL`,
    )
    .toArray()
    .map(toCall);
}

/** The calls of the turn under way that wait for somebody's word, with their reply. */
export function waitingCalls(sql: SqlStorage): { replyId: string; call: StoredCall }[] {
  return sql
    .exec<CallRow & { reply_id: string }>(
      `SELECT * FROM tool_calls WHERE reply_id = (SELECT json_extract(turn, '$.replyId') FROM chat WHERE turn IS NOT NULL)
         AND status = 'waiting' ORDER BY round, position`,
    )
    .toArray()
    .map((row) => ({ replyId: row.reply_id, call: toCall(row) }));
}

/** When the next call expires that waits, in epoch milliseconds; null where none does. */
export function nextExpiry(sql: SqlStorage): number | null {
  const times = waitingCalls(sql).flatMap(({ call }) => (call.approval?.expires_at ? [Date.parse(call.approval.expires_at)] : []));
  return times.length === 0 ? null : Math.min(...times);
}

/** A reply's call by its id. */
export function findCall(sql: SqlStorage, replyId: string, id: string): StoredCall | null {
  const row = sql.exec<CallRow>("SELECT * FROM tool_calls WHERE reply_id = ? AND id = ?", replyId, id).toArray()[0];
  return row ? toCall(row) : null;
}

/** True for a call of any reply of this chat. */
export function isCallHere(sql: SqlStorage, id: string): boolean {
  return sql.exec("SELECT 1 FROM tool_calls WHERE id = ?", id).toArray().length > 0;
}

/** What a tool has given models here in this person's calls, in any reply. */
export function earlierToolOutputs(sql: SqlStorage, { tool, userId }: { tool: string; userId: string }): string[] {
  return sql
    .exec<{ output: string }>(
      `SELECT output FROM tool_calls WHERE tool = ? AND status = 'done' AND output IS NOT NULL
         AND json_extract(approval, '$.user.id') = ?`,
      tool,
      userId,
    )
    .toArray()
    .map(({ output }) => output);
}

/** Stores a round with its calls; call it in the transaction of its cost. */
export function insertRound(sql: SqlStorage, replyId: string, round: StoredRound): void {
  const { reasoningDetails: details, usage } = round;
  sql.exec(
    "INSERT INTO tool_rounds (reply_id, round, text_end, reasoning_end, reasoning_ms, reasoning_details, usage) VALUES (?, ?, ?, ?, ?, ?, ?)",
    replyId,
    round.round,
    round.textEnd,
    round.reasoningEnd,
    round.reasoningMs,
    details.length === 0 ? null : JSON.stringify(details),
    usage && JSON.stringify(usage),
  );
  for (const [position, call] of round.calls.entries()) {
    sql.exec(
      `INSERT INTO tool_calls (reply_id, round, position, id, given_id, generation, tool, arguments, status, delivery, approval, at, output)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      replyId,
      round.round,
      position,
      call.id,
      call.givenId,
      call.generation,
      call.tool,
      call.arguments,
      call.status,
      call.delivery,
      call.approval && JSON.stringify(call.approval),
      call.at,
      call.output,
    );
  }
}

type CallUse = { replyId: string; callId: string; micros: number | null; usage: MessageUsage | null };

/** Adds to what a call cost, in micro-dollars and null where that is unknown, and to what the models that it asked read and wrote. */
export function addCallUse(sql: SqlStorage, { replyId, callId, micros, usage }: CallUse): void {
  sql.exec(
    `UPDATE tool_calls SET cost_micros = CASE WHEN ?1 IS NULL THEN cost_micros ELSE COALESCE(cost_micros, 0) + ?1 END,
       prompt_tokens = prompt_tokens + ?2, completion_tokens = completion_tokens + ?3, reasoning_tokens = reasoning_tokens + ?4
     WHERE reply_id = ?5 AND id = ?6`,
    micros,
    usage?.prompt_tokens ?? 0,
    usage?.completion_tokens ?? 0,
    usage?.reasoning_tokens ?? 0,
    replyId,
    callId,
  );
}

/** What the models that a reply's calls asked read and wrote, all together; their time is the calls' own. Null where there are no calls. */
export function usageOfCalls(sql: SqlStorage, replyId: string): MessageUsage | null {
  const sums = sql
    .exec<Omit<MessageUsage, "duration_ms"> & { calls: number }>(
      `SELECT COUNT(*) AS calls, COALESCE(SUM(prompt_tokens), 0) AS prompt_tokens, COALESCE(SUM(completion_tokens), 0) AS completion_tokens,
         COALESCE(SUM(reasoning_tokens), 0) AS reasoning_tokens FROM tool_calls WHERE reply_id = ?`,
      replyId,
    )
    .one();
  const { calls, ...tokens } = sums;
  return calls === 0 ? null : { ...tokens, duration_ms: 0 };
}

/** Stores how a call now stands: all that can change of it but its cost, which grows by itself. */
export function updateCall(sql: SqlStorage, replyId: string, call: StoredCall): void {
  sql.exec(
    `UPDATE tool_calls SET edited_input = ?, status = ?, delivery = ?, approval = ?, output = ?, sources = ?, images = ?, parts = ?,
       duration_ms = ? WHERE reply_id = ? AND round = ? AND id = ?`,
    call.editedInput,
    call.status,
    call.delivery,
    call.approval && JSON.stringify(call.approval),
    call.output,
    toJson(call.sources),
    toJson(call.images),
    toJson(call.parts),
    call.durationMs,
    replyId,
    call.round,
    call.id,
  );
}

/** Gives a call that has ended another answer: what came of what it set going. */
export function setOutput(sql: SqlStorage, { replyId, callId, output }: { replyId: string; callId: string; output: string }): void {
  sql.exec(
    "UPDATE tool_calls SET output = ? WHERE reply_id = ? AND id = ? AND status IN ('done', 'failed', 'stopped')",
    output,
    replyId,
    callId,
  );
}

function toJson(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

function fromJson<T>(schema: z.ZodMiniType<T>, text: string | null, otherwise: T): T {
  return text === null ? otherwise : schema.parse(JSON.parse(text));
}

function toRound(row: RoundRow, calls: StoredCall[]): StoredRound {
  return {
    round: row.round,
    textEnd: row.text_end,
    reasoningEnd: row.reasoning_end,
    reasoningMs: row.reasoning_ms,
    reasoningDetails: fromJson<ReasoningDetail[]>(DETAILS, row.reasoning_details, []),
    usage: fromJson<MessageUsage | null>(MessageUsage, row.usage, null),
    calls,
  };
}

function toCall(row: CallRow): StoredCall {
  return {
    id: row.id,
    round: row.round,
    givenId: row.given_id,
    generation: row.generation,
    tool: row.tool,
    arguments: row.arguments,
    editedInput: row.edited_input,
    status: ToolCallStatus.parse(row.status),
    delivery: DELIVERY.parse(row.delivery),
    approval: fromJson<ToolApproval | null>(ToolApproval, row.approval, null),
    at: row.at,
    output: row.output,
    sources: fromJson(z.array(ToolSource), row.sources, []),
    images: fromJson(z.array(ToolImage), row.images, []),
    parts: fromJson(z.array(ToolPart), row.parts, []),
    costMicros: row.cost_micros,
    durationMs: row.duration_ms,
  };
}
