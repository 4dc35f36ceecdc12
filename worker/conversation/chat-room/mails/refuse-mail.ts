import type { ErrorAction } from "#shared/entities/message.ts";
import type { QueuePause } from "#shared/entities/queued-message.ts";
import { addActivity, type ChatChanges, lastMessage, setTitle } from "../chat.ts";
import { findFile, markUsed } from "../messages/attachments.ts";
import { insertMessage, selectedLeaf, mainLeafAfter, moveReaders } from "../messages/messages.ts";
import { removeItem } from "../queue/queue-items.ts";
import { queuedMail } from "./queued-mail.ts";
import { provisionalTitle } from "#worker/conversation/turn/title.ts";
import type { QueueItem } from "#worker/conversation/room/queue.ts";

const ACTIONS: Record<string, ErrorAction> = {
  INSUFFICIENT_CREDITS: "add_credits",
  TRIGGERED_BUDGET: "retry",
  MODEL_NOT_FOUND: "switch_model",
  MODEL_NOT_ALLOWED: "switch_model",
  PRO_MODEL_REQUIRED: "switch_model",
};

/** Stores a mail, or a message of the app, as the message that it is, and why no model answers it as its reply; call it in a transaction. */
export function refuseMail(sql: SqlStorage, item: QueueItem, { code, message }: QueuePause): { replyId: string; changes: ChatChanges } {
  const at = new Date().toISOString();
  const replyId = crypto.randomUUID();
  const parentId = selectedLeaf(sql, item.authorId);
  const mainId = mainLeafAfter(sql, { user: { parentId }, messageId: item.id, replyId });
  const mail = queuedMail(sql, item);
  // A mail is its sender's, and what was forwarded nobody's here.
  const authorId = mail || item.messaging?.is_forwarded ? null : item.authorId;
  const files = item.attachments.flatMap((id) => findFile(sql, id) ?? []);
  insertMessage(sql, {
    id: item.id,
    parent_id: parentId,
    role: "user",
    content: item.content,
    status: "done",
    author_id: authorId,
    author_name: item.authorName,
    messaging: item.messaging && JSON.stringify(item.messaging),
    reply_id: replyId,
    attachments: files.length === 0 ? null : JSON.stringify(files),
    mail: mail && JSON.stringify(mail),
    trusted_for: authorId,
    created_at: at,
  });
  markUsed(sql, files);
  insertMessage(sql, {
    id: replyId,
    parent_id: item.id,
    role: "assistant",
    content: "",
    status: "failed",
    reply_id: replyId,
    trusted_for: authorId,
    created_at: at,
  });
  const error = { code, message, action: ACTIONS[code] ?? "retry", retryAfter: null };
  sql.exec("UPDATE messages SET error = ? WHERE id = ?", JSON.stringify(error), replyId);
  moveReaders(sql, { from: parentId, leafId: replyId, actorId: item.authorId });
  if (parentId === null) setTitle(sql, provisionalTitle(item.content), "provisional");
  removeItem(sql, item.id);
  return {
    replyId,
    changes: {
      head_id: replyId,
      main_id: mainId,
      ...lastMessage({ content: item.content, sender: { userId: authorId ?? "", displayName: item.authorName }, at }),
      ...addActivity(sql, null),
    },
  };
}
