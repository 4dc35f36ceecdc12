import type { MessageStatus } from "#shared/entities/message.ts";
import { noteCharge } from "./charges.ts";
import { noteLastMessage, setTitle } from "./chat.ts";
import { advance, insertMessage } from "./messages.ts";
import type { TurnPlan } from "./plan-turn.ts";
import type { ReplyContent } from "./reply-log.ts";
import { TurnRequest } from "./rpc.ts";
import { provisionalTitle } from "./title.ts";
import type { TurnResult } from "./turn.ts";

/** A turn that is not settled: what it was asked, and how often it began. */
export type StoredTurn = { replyId: string; generation: number; attempts: number; request: TurnRequest };

/** Writes a planned turn: messages, turn, the reader's place. Call it inside a transaction. */
export function storeTurn(sql: SqlStorage, plan: Exclude<TurnPlan, { kind: "repeat" }>, request: TurnRequest): StoredTurn {
  const at = new Date().toISOString();
  const { reader, model } = request;
  if (plan.kind === "reply") storeReply(sql, { plan, request, at });
  else sql.exec("UPDATE messages SET status = 'accepted', error = NULL, generation = generation + 1 WHERE id = ?", plan.replyId);
  const generation = plan.kind === "reply" ? 0 : plan.reply.generation + 1;
  sql.exec("UPDATE chat SET model_id = ?", model.requestedId);
  sql.exec(
    "INSERT INTO turns (reply_id, generation, attempts, request) VALUES (?, ?, 1, ?)",
    plan.replyId,
    generation,
    JSON.stringify(request),
  );
  const user = plan.kind === "reply" ? plan.user : null;
  if (user) {
    noteLastMessage(sql, { content: user.content, sender: reader, at });
    if (user.parentId === null) setTitle(sql, provisionalTitle(user.content), "provisional");
  }
  return { replyId: plan.replyId, generation, attempts: 1, request };
}

function storeReply(
  sql: SqlStorage,
  { plan, request, at }: { plan: Extract<TurnPlan, { kind: "reply" }>; request: TurnRequest; at: string },
): void {
  const { reader, model, hash } = request;
  const { user, messageId, replyId } = plan;
  if (user) {
    insertMessage(sql, {
      id: user.id,
      parent_id: user.parentId,
      role: "user",
      content: user.content,
      status: "done",
      author_id: reader.userId,
      author_name: reader.displayName,
      request_hash: hash,
      reply_id: replyId,
      created_at: at,
    });
  }
  insertMessage(sql, {
    id: replyId,
    parent_id: messageId,
    role: "assistant",
    content: "",
    status: "accepted",
    model_id: model.requestedId,
    requested_model_id: model.requestedId,
    request_hash: user ? null : hash,
    reply_id: replyId,
    created_at: at,
  });
  advance(sql, { from: user ? user.parentId : null, leafId: replyId, actorId: reader.userId });
}

/** The turns that have not settled. */
export function storedTurns(sql: SqlStorage): StoredTurn[] {
  return sql
    .exec<{ reply_id: string; generation: number; attempts: number; request: string }>("SELECT * FROM turns")
    .toArray()
    .map((row) => ({
      replyId: row.reply_id,
      generation: row.generation,
      attempts: row.attempts,
      request: TurnRequest.parse(JSON.parse(row.request)),
    }));
}

/** Opens the next generation of a turn whose object died. */
export function storeRestart(sql: SqlStorage, turn: StoredTurn): StoredTurn {
  const next = { ...turn, generation: turn.generation + 1, attempts: turn.attempts + 1 };
  sql.exec("UPDATE turns SET generation = ?, attempts = ? WHERE reply_id = ?", next.generation, next.attempts, turn.replyId);
  return next;
}

/** The message's status while its model writes. */
export function storeStatus(sql: SqlStorage, replyId: string, status: MessageStatus): void {
  sql.exec("UPDATE messages SET status = ? WHERE id = ?", status, replyId);
}

type Settlement = { turn: StoredTurn; content: ReplyContent; result: TurnResult; lastSeq: number };

/** Writes a turn's end and its charge; what an earlier generation of the same message cost is added up. Call it inside a transaction. */
export function storeSettlement(sql: SqlStorage, { turn, content, result, lastSeq }: Settlement): void {
  const { error, cost } = result;
  const { reader, model } = turn.request;
  const micros = cost.known ? cost.micros : null;
  sql.exec(
    `UPDATE messages SET content = ?, status = ?, model_id = COALESCE(?, model_id), reasoning = ?, reasoning_details = ?, reasoning_ms = ?,
       citations = ?, cost_micros = CASE WHEN ?8 IS NULL THEN cost_micros ELSE COALESCE(cost_micros, 0) + ?8 END,
       usage = ?, finish_reason = ?, error = ?, generation = ?, last_seq = ? WHERE id = ?`,
    content.text,
    result.status,
    result.modelId,
    content.reasoning === "" ? null : content.reasoning,
    result.reasoningDetails.length === 0 ? null : JSON.stringify(result.reasoningDetails),
    result.reasoningMs ?? (content.reasoning === "" ? null : content.reasoningMs),
    result.citations.length === 0 ? null : JSON.stringify(result.citations),
    micros,
    result.usage && JSON.stringify(result.usage),
    result.finishReason,
    error && JSON.stringify(error),
    turn.generation,
    lastSeq,
    turn.replyId,
  );
  if (micros !== null) sql.exec("UPDATE chat SET cost_micros = cost_micros + ?", micros);
  noteCharge(sql, {
    callId: `${turn.replyId}:${turn.generation}`,
    payerId: reader.userId,
    replyId: turn.replyId,
    what: "reply",
    modelId: result.modelId ?? model.requestedId,
    amountMicros: cost.known ? (cost.micros ?? 0) : null,
    estimateMicros: cost.known ? 0 : cost.estimateMicros,
    generationId: cost.known ? null : cost.generationId,
    isHouse: reader.anonymous,
  });
  sql.exec("DELETE FROM turns WHERE reply_id = ?", turn.replyId);
  if (content.text !== "") noteLastMessage(sql, { content: content.text, sender: null, at: new Date().toISOString() });
}
