import * as z from "zod/mini";
import { Autopilot } from "#shared/entities/autopilot.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { MessageMail } from "#shared/entities/mail.ts";
import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { type Citation, type Message, MessageError, MessageStatus, MessageUsage } from "#shared/entities/message.ts";
import type { SettledEvent } from "#shared/reply-events.ts";
import { withoutNames } from "#shared/knowledge-citations.ts";
import { isPrivateTool } from "#worker/conversation/tools/tool-sources.ts";
import { toAttachment } from "#worker/library/attachments/to-attachment.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import { storedMail, withoutAddresses } from "#worker/conversation/turn/mail-text.ts";
import { shownCall } from "#worker/conversation/turn/tool-call.ts";
import type { ReplyContent } from "#worker/conversation/turn/reply-content.ts";
import { sentFiles } from "#worker/library/attachments/room-file.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import { UsedMemory } from "#worker/conversation/turn/question-context.ts";
import { citationsOf } from "#worker/conversation/turn/path.ts";

/** Whether a reader sees what the model of a reply thought. */
export function seesReasoning(
  { payer_id: payerId, used_own: usedOwn }: Pick<MessageRow, "payer_id" | "used_own">,
  readerId: string,
): boolean {
  return usedOwn === 0 || payerId === readerId;
}

/** The facts that went along where the memory is this reader's own; null where it is not, or there was none. */
function ownMemory({ memory }: Pick<MessageRow, "memory">, readerId: string): string[] | null {
  const used = memory === null ? null : UsedMemory.parse(JSON.parse(memory));
  return used?.by === readerId ? used.ids : null;
}

/** A message's memory as it is copied for a reader: another's is none of theirs. */
export function copiedMemory(row: Pick<MessageRow, "memory">, readerId: string): string | null {
  return ownMemory(row, readerId) && row.memory;
}

/** What was looked into of whose knowledge. */
const OwnLook = z.extend(KnowledgeLook, { by: z.optional(z.string()) });
export type OwnLook = z.infer<typeof OwnLook>;

/** What was looked into where this reader asked; null for anybody else, and where nothing was. */
function ownLook({ knowledge }: Pick<MessageRow, "knowledge">, readerId: string): KnowledgeLook | null {
  const look = knowledge === null ? null : OwnLook.parse(JSON.parse(knowledge));
  return look?.by === readerId ? KnowledgeLook.parse(look) : null;
}

/** What was looked into as it is copied for a reader: another's names of documents are none of theirs. */
export function copiedLook(row: Pick<MessageRow, "knowledge">, readerId: string): string | null {
  return ownLook(row, readerId) && row.knowledge;
}

type Cited = { cited?: Citation[]; calls?: readonly Pick<ToolCall, "tool" | "approval">[] };

/** A reply's citations as this reader sees them: another's names of documents and mails are none of theirs. `calls` are the reply's; they show who looked into their own. */
export function shownCitations(
  row: Pick<MessageRow, "citations" | "knowledge" | "payer_id" | "generation">,
  readerId: string,
  { cited = citationsOf(row), calls = [] }: Cited = {},
): Citation[] {
  const isOwn =
    (row.payer_id === readerId && row.generation === 0) ||
    ownLook(row, readerId) !== null ||
    calls.some(({ tool, approval }) => isPrivateTool(tool) && approval?.user.id === readerId);
  return isOwn ? cited : withoutNames(cited);
}

type Context = {
  chatId: string;
  siblingIds: string[];
  /** The stored tool calls. */
  calls: ToolCall[];
  /** What a reply in progress has produced so far. */
  live: LiveContent | null;
  seesAddresses?: boolean;
  /** Whose own memory and knowledge may be shown; nobody's where the message is for no one reader. */
  readerId?: string;
};

/** What a reply in progress has produced so far. */
export type LiveContent = Pick<ReplyContent, "text" | "reasoning" | "calls" | "citations"> & { workingSince?: string | null };

/** The message of the contracts. */
export function toMessage(row: MessageRow, { chatId, siblingIds, calls, live, seesAddresses = false, readerId = "" }: Context): Message {
  const mail = storedMail(row.mail);
  const made = live?.calls ?? calls;
  const cited = live && live.citations.length > 0 ? live.citations : citationsOf(row);
  const memory = readerId === "" ? null : ownMemory(row, readerId);
  const look = readerId === "" ? null : ownLook(row, readerId);
  const thought = readerId === "" || seesReasoning(row, readerId);
  return {
    id: row.id,
    chat_id: chatId,
    parent_id: row.parent_id,
    role: row.role === "user" ? "user" : "assistant",
    content: live?.text ?? row.content,
    author: row.author_id === null ? null : { id: row.author_id, display_name: row.author_name ?? "" },
    model_id: row.model_id,
    requested_model_id: row.requested_model_id,
    // A reply is stored when its turn is accepted and when it has settled; in between, whether it runs says so.
    status: live && row.status === "accepted" ? "streaming" : MessageStatus.parse(row.status),
    reasoning: thought ? (live ? live.reasoning || null : row.reasoning) : null,
    reasoning_ms: thought ? row.reasoning_ms : null,
    tool_calls: made.map((call) => shownCall(call, { userId: readerId, seesMail: seesAddresses })),
    attachments: sentFiles(row.attachments).map((file) => toAttachment(chatId, file)),
    citations: readerId === "" ? cited : shownCitations(row, readerId, { cited, calls: made }),
    cost: row.cost_micros === null ? null : fromMicros(row.cost_micros),
    usage: row.usage === null ? null : MessageUsage.parse(JSON.parse(row.usage)),
    finish_reason: row.finish_reason,
    error: row.error === null ? null : MessageError.parse(JSON.parse(row.error)),
    ...(row.autopilot !== null && { autopilot: Autopilot.parse(JSON.parse(row.autopilot)) }),
    ...(row.persona !== null && { persona: row.persona }),
    ...(memory && { memory_ids: memory }),
    ...(look && { knowledge: look }),
    ...(mail && { mail: MessageMail.parse(seesAddresses ? mail : withoutAddresses(mail)) }),
    ...(row.messaging !== null && { messaging: shownMessaging(row.messaging, row.author_id !== null && row.author_id === readerId) }),
    ...(live?.workingSince && { working_since: live.workingSince }),
    sibling_ids: siblingIds,
    created_at: row.created_at,
  };
}

/** The last event of a settled reply's stream, from its stored message. */
export function settledEvent(row: MessageRow): SettledEvent {
  const message = toMessage(row, { chatId: "", siblingIds: [], calls: [], live: null });
  return {
    type: "settled",
    message_id: message.id,
    status: message.status,
    text: message.content.length,
    model_id: message.model_id,
    reasoning_ms: message.reasoning_ms,
    citations: message.citations,
    cost: message.cost,
    usage: message.usage,
    finish_reason: message.finish_reason,
    error: message.error,
  };
}

/** A number is its owner's business, whoever else may read the chat. */
function shownMessaging(column: string, isOwn: boolean): MessageMessaging {
  const messaging = MessageMessaging.parse(JSON.parse(column));
  return isOwn ? messaging : { ...messaging, from: null };
}
