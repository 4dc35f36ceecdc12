import { markUsed } from "./attachments.ts";
import { noteCharge } from "./charges.ts";
import { selectTools } from "../tools/select-tools.ts";
import { type ChatChanges, lastMessage, readChat, readToolCategories, setTitle } from "./chat.ts";
import { insertMessage, moveReaders } from "./messages.ts";
import type { TurnPlan } from "./plan-turn.ts";
import type { ReplyContent } from "./reply-log.ts";
import type { TurnRequest } from "./rpc.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { provisionalTitle } from "./title.ts";
import type { TurnResult } from "./turn.ts";

/** Writes a planned turn's messages and the readers' places; answers the turn and what changes of the chat, for the caller to write in the same transaction. */
export function storeTurn(
  sql: SqlStorage,
  plan: Exclude<TurnPlan, { kind: "repeat" }>,
  request: TurnRequest,
): { turn: StoredTurn; changes: ChatChanges } {
  const at = new Date().toISOString();
  const { reader, model } = request;
  if (plan.kind === "reply") storeReply(sql, { plan, request, at });
  else sql.exec("UPDATE messages SET status = 'accepted', error = NULL, generation = generation + 1 WHERE id = ?", plan.replyId);
  const { tools } = request;
  const turn = {
    replyId: plan.replyId,
    generation: plan.kind === "reply" ? 0 : plan.reply.generation + 1,
    attempts: 1,
    request,
    tools: selectTools({
      categories: tools.categories ?? readToolCategories(sql),
      settings: tools.settings,
      modelHasTools: model.tools,
      isGuest: reader.anonymous,
    }),
    isWaiting: false,
  };
  const user = plan.kind === "reply" ? plan.user : null;
  const shown = user && (user.content || user.files.map(({ name }) => name).join(", "));
  if (shown && user.parentId === null) setTitle(sql, provisionalTitle(shown), "provisional");
  const changes = {
    model_id: model.requestedId,
    turn: JSON.stringify(turn),
    ...(tools.categories !== null && { tool_categories: JSON.stringify(tools.categories) }),
    ...(plan.kind === "reply" && { head_id: plan.replyId }),
    ...(shown && lastMessage({ content: shown, sender: reader, at })),
  };
  return { turn, changes };
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
      attachments: user.files.length === 0 ? null : JSON.stringify(user.files),
      created_at: at,
    });
    markUsed(sql, user.files);
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
  moveReaders(sql, { from: user ? user.parentId : null, leafId: replyId, actorId: reader.userId });
}

/** Opens the next generation of a turn whose object died. */
export function storeRestart(sql: SqlStorage, turn: StoredTurn): StoredTurn {
  const next = { ...turn, generation: turn.generation + 1, attempts: turn.attempts + 1 };
  sql.exec("UPDATE chat SET turn = ?", JSON.stringify(next));
  return next;
}

type Settlement = { turn: StoredTurn; content: ReplyContent; result: TurnResult; lastSeq: number };

/**
 * Writes a turn's end and its charge; what an earlier generation of the same message cost is added up. Answers what changes
 * of the chat, for the caller to write in the same transaction.
 */
export function storeSettlement(sql: SqlStorage, { turn, content, result, lastSeq }: Settlement): ChatChanges {
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
  return {
    turn: null,
    ...(micros !== null && { cost_micros: readChat(sql).cost_micros + micros }),
    ...(content.text !== "" && lastMessage({ content: content.text, sender: null, at: new Date().toISOString() })),
  };
}
