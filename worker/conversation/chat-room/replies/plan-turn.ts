import { MessageStatus } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import type { Action } from "#shared/permissions.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { filesToSend } from "../messages/attachments.ts";
import { sentFiles, type RoomFile } from "#worker/library/attachments/room-file.ts";
import { findMessage, selectedLeaf } from "../messages/messages.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { storedTurn } from "../chat.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";

/** A person's message to store; `isTheirs` unless it is an edit of what is no text of theirs. */
export type NewQuestion = { id: string; parentId: string | null; content: string; files: RoomFile[]; isTheirs: boolean };

/** What a turn will write, or what the same request answered before. */
export type TurnPlan =
  | { kind: "repeat"; messageId: string; replyId: string }
  /** A new user message (unless the reply answers an old one) and a new reply below it. */
  | { kind: "reply"; user: NewQuestion | null; messageId: string; replyId: string }
  | { kind: "continue"; reply: MessageRow; messageId: string; replyId: string };

/** The generation that a planned turn begins with. */
export function generationOf(plan: Exclude<TurnPlan, { kind: "repeat" }>): number {
  return plan.kind === "reply" ? 0 : plan.reply.generation + 1;
}

/** The right that each way of beginning a turn takes; who may edit their own may also branch from another's. */
export const TURN_ACTIONS = { send: "send", edit: "edit_own", regenerate: "regenerate", continue: "send" } as const satisfies Record<
  TurnRequest["kind"],
  Action
>;

/** Decides what a request means for the tree as it stands; reads only. */
export function planTurn(sql: SqlStorage, request: TurnRequest): Outcome<TurnPlan> {
  const known = request.kind === "continue" ? null : findMessage(sql, request.id);
  if (known) return repeat(known, request.hash);
  const running = storedTurn(sql);
  if (running)
    return request.kind === "continue" && running.replyId === request.messageId ? again(sql, running.replyId) : refuse("TURN_IN_PROGRESS");
  switch (request.kind) {
    case "send":
      return planSend(sql, request);
    case "edit":
      return planEdit(sql, request);
    case "regenerate":
      return planRegenerate(sql, request);
    case "continue":
      return planContinue(sql, request.messageId);
  }
}

function refuse(code: "TURN_IN_PROGRESS" | "CHAT_MOVED_ON" | "CONFLICT" | "NOT_FOUND" | "INVALID_INPUT", message?: string): Outcome<never> {
  return { ok: false, code, ...(message === undefined ? {} : { message }) };
}

function repeat(known: MessageRow, hash: string): Outcome<TurnPlan> {
  if (known.request_hash !== hash || known.reply_id === null) return refuse("CONFLICT");
  const messageId = known.role === "user" ? known.id : (known.parent_id ?? known.id);
  return { ok: true, value: { kind: "repeat", messageId, replyId: known.reply_id } };
}

function again(sql: SqlStorage, replyId: string): Outcome<TurnPlan> {
  const reply = findMessage(sql, replyId);
  return reply ? { ok: true, value: { kind: "repeat", messageId: reply.parent_id ?? replyId, replyId } } : refuse("NOT_FOUND");
}

function planSend(sql: SqlStorage, request: Extract<TurnRequest, { kind: "send" }>): Outcome<TurnPlan> {
  if (request.parentId === null) {
    const isEmpty = sql.exec("SELECT 1 FROM messages LIMIT 1").toArray().length === 0;
    if (!isEmpty) return refuse("CONFLICT", "This chat already has a first message.");
  } else if (findMessage(sql, request.parentId) === null) {
    return refuse("INVALID_INPUT", "The message to answer is not in this chat.");
  } else if (!isEnd(sql, request.parentId) || (isTyped(request) && selectedLeaf(sql, request.reader.userId) !== request.parentId)) {
    return refuse("CHAT_MOVED_ON");
  }
  return newReply(sql, request, { parentId: request.parentId, ids: request.attachments ?? [], isTheirs: true });
}

/** True where nothing follows a message: an answer, or a question without one, as a fork may end with. */
function isEnd(sql: SqlStorage, messageId: string): boolean {
  return sql.exec("SELECT 1 FROM messages WHERE parent_id = ? LIMIT 1", messageId).toArray().length === 0;
}

/** True for what a person wrote, who looks at one branch: it goes to its end. What comes in by itself may go on with another. */
function isTyped({ mail, asksAlways }: Extract<TurnRequest, { kind: "send" }>): boolean {
  return mail === undefined && asksAlways !== true;
}

function planEdit(sql: SqlStorage, request: Extract<TurnRequest, { kind: "edit" }>): Outcome<TurnPlan> {
  const original = findMessage(sql, request.messageId);
  if (original?.role !== "user") return refuse("NOT_FOUND");
  const ids = request.attachments ?? sentFiles(original.attachments).flatMap(({ id, isMissing }) => (isMissing ? [] : [id]));
  return newReply(sql, request, { parentId: original.parent_id, ids, isTheirs: original.trusted_for === request.reader.userId });
}

function newReply(
  sql: SqlStorage,
  { id, replyId, content, reader, model }: Extract<TurnRequest, { content: string }>,
  { parentId, ids, isTheirs }: { parentId: string | null; ids: readonly string[]; isTheirs: boolean },
): Outcome<TurnPlan> {
  const files = filesToSend(sql, { ids, userId: reader.userId, hasVision: model.vision });
  if (!files.ok) return files;
  return { ok: true, value: { kind: "reply", user: { id, parentId, content, files: files.value, isTheirs }, messageId: id, replyId } };
}

function planRegenerate(sql: SqlStorage, request: Extract<TurnRequest, { kind: "regenerate" }>): Outcome<TurnPlan> {
  const target = findMessage(sql, request.messageId);
  const messageId = target?.role === "user" ? target.id : target?.parent_id;
  if (!messageId) return refuse("NOT_FOUND");
  return { ok: true, value: { kind: "reply", user: null, messageId, replyId: request.id } };
}

function planContinue(sql: SqlStorage, messageId: string): Outcome<TurnPlan> {
  const reply = findMessage(sql, messageId);
  if (reply?.role !== "assistant" || reply.parent_id === null) return refuse("NOT_FOUND");
  const status = MessageStatus.parse(reply.status);
  const isComplete = status === "done" && reply.finish_reason !== "length";
  if (isComplete || isLive(status) || !isEnd(sql, messageId)) return refuse("INVALID_INPUT", "This reply has nothing to go on with.");
  return { ok: true, value: { kind: "continue", reply, messageId: reply.parent_id, replyId: messageId } };
}
