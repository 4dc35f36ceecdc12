import { withoutPrivate } from "#shared/knowledge-citations.ts";
import { PortableSettings } from "#shared/entities/chat-settings.ts";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportedChat,
  type ExportedMail,
  type ExportedMessage,
} from "#shared/sharing/exported-chat.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { walkMails } from "../mails/mail-rows.ts";
import { sentFiles } from "#worker/library/attachments/room-file.ts";
import { type Copier, copyChat } from "./copy-chat.ts";
import { toMessage } from "../messages/message-row.ts";
import type { StoredCall, StoredRound } from "#worker/conversation/turn/round.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import { readableFiles } from "../messages/attachments.ts";
import type { ChatWithFiles } from "#worker/conversation/room/rpc.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

/** Characters of mails in one file. */
const MAILS_LENGTH = 2_000_000;

type ExportedRound = ExportedMessage["tool_rounds"][number];

/** All of a chat as its file has it, and the files that go with it. Fails with PAYLOAD_TOO_LARGE. */
export function exportChat(sql: SqlStorage, reader: Copier): Outcome<ChatWithFiles> {
  const copied = copyChat(sql, { ...reader, messageId: null });
  if (!copied.ok) return copied;
  const emails = reader.hasMails ? exportedMails(sql) : [];
  const chat = { ...toExportedChat(copied.value, new Date()), ...(emails.length > 0 && { emails }) };
  const sent = copied.value.messages.flatMap(({ id: messageId, attachments }) => {
    const files = sentFiles(attachments);
    return files.length === 0 ? [] : [{ messageId, fileIds: files.map(({ id }) => id) }];
  });
  return { ok: true, value: { chat, sent, files: readableFiles(sql, reader.userId) } };
}

/** The chat's mails, newest first, up to so many characters that the file can be imported again. */
function exportedMails(sql: SqlStorage): ExportedMail[] {
  const mails: ExportedMail[] = [];
  let left = MAILS_LENGTH;
  for (const mail of walkMails(sql)) {
    left -= mail.text_body.length;
    if (left < 0) break;
    const { direction, state, from_addr, from_name, to_addr, cc_addr, subject, text_body, message_id, in_reply_to, created_at } = mail;
    const attachments = mail.attachments.map(({ name, type, size }) => ({ name, type, size }));
    mails.push({
      direction,
      state,
      from_addr,
      from_name,
      to_addr,
      cc_addr,
      subject,
      text_body,
      attachments,
      message_id,
      in_reply_to,
      created_at,
    });
  }
  return mails;
}

/** A chat's copy as its file has it. `at` is the time of the export. */
function toExportedChat(copy: ChatCopy, at: Date): ExportedChat {
  const rounds = new Map(copy.rounds.map((own) => [own.replyId, own.rounds]));
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exported_at: at.toISOString(),
    title: copy.title,
    ...PortableSettings.parse(copy.settings),
    created_at: copy.createdAt,
    forked_from: copy.origin,
    head_id: copy.headId,
    compactions: copy.compactions.map(({ questionId, lastId, status, messages, summary }) => ({
      question_id: questionId,
      last_id: lastId,
      status: status === "done" ? "done" : "failed",
      messages,
      summary,
    })),
    messages: copy.messages.map((row) => toExportedMessage(row, rounds.get(row.id) ?? [])),
  };
}

function toExportedMessage(row: MessageRow, rounds: StoredRound[]): ExportedMessage {
  const message = toMessage(row, { chatId: "", siblingIds: [], calls: [], live: null });
  const { status } = message;
  return {
    id: message.id,
    parent_id: message.parent_id,
    role: message.role,
    content: message.content,
    author: message.author?.display_name ?? null,
    model_id: message.model_id,
    requested_model_id: message.requested_model_id,
    autopilot: message.autopilot ?? null,
    persona: message.persona ?? null,
    status: status === "accepted" || status === "streaming" || status === "waiting" ? "interrupted" : status,
    reasoning: message.reasoning,
    reasoning_ms: message.reasoning_ms,
    tool_rounds: rounds.map(toExportedRound),
    // Pictures that another product's model made belong to no question, and no file of a chat has a place for them.
    attachments: row.role === "user" ? sentFiles(row.attachments).map(({ name, type, size, kind }) => ({ name, type, size, kind })) : [],
    citations: withoutPrivate(message.citations),
    cost: message.cost,
    usage: message.usage,
    finish_reason: message.finish_reason,
    error: message.error,
    created_at: message.created_at,
  };
}

function toExportedRound({ textEnd, reasoningEnd, reasoningMs, usage, calls }: StoredRound): ExportedRound {
  return { text_end: textEnd, reasoning_end: reasoningEnd, reasoning_ms: reasoningMs, usage, calls: calls.map(toExportedCall) };
}

function toExportedCall(call: StoredCall): ExportedRound["calls"][number] {
  const { tool, editedInput, status, approval, at, output, sources, images, parts, costMicros, durationMs } = call;
  return {
    tool,
    arguments: call.arguments,
    edited_input: editedInput,
    status: status === "running" || status === "waiting" ? "stopped" : status,
    decision: approval?.decision ?? null,
    at,
    output,
    sources,
    images,
    parts: parts.map((part) => ({ ...part, status: part.status === "done" ? "done" : "failed" })),
    cost: costMicros === null ? null : fromMicros(costMicros),
    duration_ms: durationMs,
  };
}
