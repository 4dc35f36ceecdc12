import { MessageError, MessageStatus } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import type { LookedAtTurn } from "#worker/turn/looked-at-turn.ts";
import { readSettings } from "../chat.ts";
import { findMessage, leafOf } from "./messages.ts";

/** How a chat stands for a message that its reader sends, and what became of it. */
export function lookAtTurn(sql: SqlStorage, userId: string, questionId: string): LookedAtTurn {
  const question = findMessage(sql, questionId);
  const reply = question?.reply_id ? findMessage(sql, question.reply_id) : null;
  const status = reply && MessageStatus.parse(reply.status);
  const error = reply?.error ? MessageError.parse(JSON.parse(reply.error)).message : null;
  return {
    leafId: leafOf(sql, userId),
    modelId: readSettings(sql).model_id,
    reply: reply && status && { id: reply.id, status, text: isLive(status) ? "" : reply.content, costMicros: reply.cost_micros, error },
  };
}
