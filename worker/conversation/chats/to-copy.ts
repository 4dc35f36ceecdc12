import { applySettings, NO_SETTINGS, pickSettings } from "#shared/entities/chat-settings.ts";
import type { ToolApproval } from "#shared/entities/tool-call.ts";
import type { ExportedChat, ExportedMessage } from "#shared/sharing/exported-chat.ts";
import { isPrivateTool } from "#worker/conversation/tools/tool-sources.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { StoredCall, StoredRound } from "#worker/conversation/turn/round.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import type { Caller } from "#worker/platform/env.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

type ExportedRound = ExportedMessage["tool_rounds"][number];
type ExportedCall = ExportedRound["calls"][number];
type Person = Pick<Caller, "userId" | "displayName">;
type Decider = ToolApproval["user"];

/** An exported chat as a room takes one: its people by their names, its files by name alone. */
export function toCopy(chat: ExportedChat, importer: Person): ChatCopy {
  const authors = idsOf(chat, importer);
  const messages = chat.messages.map((message, seq) => toRow(message, { seq, authors, importer }));
  const askers = new Map(chat.messages.map(({ id, author }) => [id, author]));
  // The file says what was decided and whose turn it was; nobody here has decided it.
  const deciderOf = (questionId: string | null): Decider => ({
    id: crypto.randomUUID(),
    display_name: (questionId && askers.get(questionId)) ?? "someone",
  });
  return {
    title: chat.title,
    settings: applySettings(NO_SETTINGS, pickSettings(chat)),
    createdAt: chat.created_at,
    isImported: true,
    origin: chat.forked_from,
    headId: chat.head_id,
    messages,
    rounds: chat.messages.flatMap(({ id, parent_id: parentId, tool_rounds: rounds }) =>
      rounds.length === 0
        ? []
        : [{ replyId: id, rounds: rounds.map((round, index) => toRound(round, { index, decider: deciderOf(parentId), importer })) }],
    ),
    compactions: chat.compactions.map(({ question_id: questionId, last_id: lastId, ...made }) => ({ ...made, questionId, lastId })),
    costMicros: messages.reduce((sum, { cost_micros: cost }) => sum + (cost ?? 0), 0),
    files: [],
  };
}

/** The importer's id for their own name, and for that of a chat with one person, whatever it was; people of other names are nobody here. */
function idsOf({ messages }: ExportedChat, { userId, displayName }: Person): Map<string, string> {
  const names = [...new Set(messages.flatMap(({ author }) => (author === null ? [] : [author])))];
  return new Map(names.map((name) => [name, names.length === 1 || name === displayName ? userId : crypto.randomUUID()]));
}

function toRow(
  message: ExportedMessage,
  { seq, authors, importer }: { seq: number; authors: Map<string, string>; importer: Person },
): MessageRow {
  const { author, citations, usage, error, attachments } = message;
  return {
    seq,
    id: message.id,
    parent_id: message.parent_id,
    role: message.role,
    content: message.content,
    author_id: author === null ? null : (authors.get(author) ?? null),
    author_name: author,
    model_id: message.model_id,
    requested_model_id: message.requested_model_id,
    status: message.status,
    reasoning: message.reasoning,
    reasoning_details: null,
    reasoning_ms: message.reasoning_ms,
    citations: citations.length === 0 ? null : JSON.stringify(citations),
    cost_micros: message.cost === null ? null : toMicros(message.cost),
    usage: usage && JSON.stringify(usage),
    finish_reason: message.finish_reason,
    error: error && JSON.stringify(error),
    generation: 0,
    last_seq: 0,
    request_hash: null,
    reply_id: null,
    autopilot: message.autopilot && JSON.stringify(message.autopilot),
    persona: message.persona,
    // What was looked into is its owner's own.
    knowledge: null,
    mail: null,
    messaging: null,
    memory: null,
    schedule: null,
    // Anyone may have written the file.
    trusted_for: null,
    // Nor does it say what was read for an answer.
    payer_id: message.role === "assistant" ? importer.userId : null,
    used_own: message.reasoning === null ? 0 : 1,
    worked_ms: null,
    context: null,
    attachments: attachments.length === 0 ? null : JSON.stringify(attachments.map(toMissingFile)),
    created_at: message.created_at,
  };
}

function toMissingFile({ name, type, size, kind }: ExportedMessage["attachments"][number]): RoomFile {
  const common = { characters: 0, isComplete: true, unread: null, isMissing: true };
  return { ...common, id: crypto.randomUUID(), objectId: crypto.randomUUID(), name, type, size, kind };
}

function toDecider({ userId, displayName }: Person): Decider {
  return { id: userId, display_name: displayName };
}

function toRound(round: ExportedRound, { index, decider, importer }: { index: number; decider: Decider; importer: Person }): StoredRound {
  return {
    round: index,
    textEnd: round.text_end,
    reasoningEnd: round.reasoning_end,
    reasoningMs: round.reasoning_ms,
    reasoningDetails: [],
    usage: round.usage,
    calls: round.calls.map((call, position) =>
      toCall(call, { round: index, position, decider: isPrivateTool(call.tool) ? toDecider(importer) : decider }),
    ),
  };
}

function toCall(call: ExportedCall, { round, position, decider }: { round: number; position: number; decider: Decider }): StoredCall {
  const { decision } = call;
  return {
    id: crypto.randomUUID(),
    round,
    givenId: `call_${round}_${position}`,
    generation: 0,
    tool: call.tool,
    arguments: call.arguments,
    editedInput: call.edited_input,
    status: call.status,
    delivery: "done",
    // What a private call says is for whoever brought the file, whether or not anybody was asked.
    approval: decision === null && !isPrivateTool(call.tool) ? null : { user: decider, decision },
    at: call.at,
    output: call.output,
    sources: call.sources,
    images: call.images,
    parts: call.parts,
    costMicros: call.cost === null ? null : toMicros(call.cost),
    durationMs: call.duration_ms,
  };
}
