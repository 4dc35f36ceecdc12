import { findFile } from "./attachments.ts";
import { sentFiles } from "#worker/library/attachments/room-file.ts";
import { findMessage, promptPath, selectedLeaf } from "./messages.ts";
import type { Survey, SurveyInput } from "#worker/conversation/room/rpc.ts";
import { MessageError, MessageStatus } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import type { TurnStatus } from "#worker/conversation/turn/turn-status.ts";
import { readSettings } from "#worker/conversation/chat-room/chat.ts";

/** Looks at the path of a turn. `attachments` are the files that come with it; of a message that stands here its own, unless there are others. */
export function readTurnPath(sql: SqlStorage, input: SurveyInput, attachments: readonly string[] | undefined): Survey {
  const named = "messageId" in input ? findMessage(sql, input.messageId) : null;
  const at = named?.role === "assistant" && named.parent_id !== null ? findMessage(sql, named.parent_id) : named;
  const parentId = "parentId" in input ? input.parentId : (at?.parent_id ?? null);
  const path = parentId === null ? [] : promptPath(sql, parentId);
  const carried = attachments?.flatMap((id) => findFile(sql, id) ?? []) ?? sentFiles(at?.attachments ?? null);
  const earlier = path.flatMap((row) => sentFiles(row.attachments));
  const texts = path.reduce((sum, { content }) => sum + content.length, 0);
  return {
    text: at?.content ?? "",
    carried: carried.map(({ kind }) => kind),
    earlier: earlier.map(({ kind }) => kind),
    characters: [...carried, ...earlier].reduce((sum, { characters }) => sum + characters, texts),
    answered: named?.role === "assistant" ? named.model_id : null,
    previous: path.findLast(({ role }) => role === "assistant")?.model_id ?? null,
  };
}

/** How a chat stands for a message that its reader sends, and what became of it. */
export function readTurnStatus(sql: SqlStorage, userId: string, questionId: string): TurnStatus {
  const question = findMessage(sql, questionId);
  const reply = question?.reply_id ? findMessage(sql, question.reply_id) : null;
  const status = reply && MessageStatus.parse(reply.status);
  const error = reply?.error ? MessageError.parse(JSON.parse(reply.error)).message : null;
  return {
    leafId: selectedLeaf(sql, userId),
    modelId: readSettings(sql).model_id,
    reply: reply && status && { id: reply.id, status, text: isLive(status) ? "" : reply.content, costMicros: reply.cost_micros, error },
  };
}
