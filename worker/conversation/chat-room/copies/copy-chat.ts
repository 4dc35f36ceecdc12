import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { applySettings, type ChatSettings, NO_SETTINGS, PortableSettings } from "#shared/entities/chat-settings.ts";
import { isLive } from "#shared/is-live.ts";
import { isOwnCategory } from "#shared/tools/own-categories.ts";
import { MessageStatus } from "#shared/entities/message.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { addFile, markUsed } from "../messages/attachments.ts";
import { sentFiles } from "#worker/library/attachments/room-file.ts";
import { changeChat, isImportedChat, lastMessage, markImported, originOf, readChat, readSettings } from "../chat.ts";
import { storeCompaction, compactionsAt } from "../messages/compaction-rows.ts";
import { copiedLook, copiedMemory, shownCitations } from "../messages/message-row.ts";
import { insertMail } from "../mails/mail-rows.ts";
import { insertTodos } from "../todos.ts";
import { type FindLive, findMessage, selectedLeaf, messagesUpTo } from "../messages/messages.ts";
import { addCallUse, insertRound, readRounds, updateCall } from "../messages/tool-rounds.ts";
import { storedMail, withoutAddresses } from "#worker/conversation/turn/mail-text.ts";
import { type CallReader, copiedCall, withoutTexts } from "#worker/conversation/turn/tool-call.ts";
import { mayUse } from "#worker/conversation/tools/tool-sources.ts";
import { includesAllSources, type PrivateSource } from "#worker/conversation/tools/private-source.ts";
import type { StoredRound } from "#worker/conversation/turn/round.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import type { ChatCopy, CopyPart } from "#worker/conversation/room/chat-copy.ts";

/** More characters than this do not go from one object to another in one piece. */
export const COPY_CHARACTERS = 8_000_000;

/** For whom a chat is copied, and what of their own goes along. */
export type Copier = { userId: string; live: FindLive; hasMails: boolean; sources: readonly PrivateSource[] };

/**
 * Copies the path up to a message, or without one all branches; a reply in progress is copied as what it has said so far. Calls show
 * mail only with `hasMails`, and what is a person's own where it is their copy, as far as `sources` go.
 */
export function copyChat(
  sql: SqlStorage,
  { userId, messageId, live, hasMails, sources }: Copier & { messageId: string | null },
): Outcome<ChatCopy> {
  if (messageId !== null && !findMessage(sql, messageId)) return { ok: false, code: "NOT_FOUND" };
  const chat = readChat(sql);
  const { id, title, created_at: createdAt } = chat;
  if (sizeOf(sql) > COPY_CHARACTERS) return { ok: false, code: "PAYLOAD_TOO_LARGE", message: "This chat is too long to copy." };
  const rows =
    messageId === null
      ? sql.exec<MessageRow>("SELECT * FROM messages ORDER BY seq").toArray()
      : messagesUpTo(sql, messageId, Number.MAX_SAFE_INTEGER);
  const ids = rows.map((row) => row.id);
  const rounds = readRounds(sql, ids);
  const theirs = new Set(rows.filter((row) => isTheirs(row, { userId, sources })).map((row) => row.id));
  const reader = { userId, seesMail: hasMails, sources };
  return {
    ok: true,
    value: {
      title,
      settings: chat.owner_id === userId ? readSettings(sql) : othersSettings(readSettings(sql)),
      createdAt,
      isImported: isImportedChat(sql),
      origin: messageId === null ? originOf(chat) : { chat_id: id, message_id: messageId, title },
      headId: messageId ?? selectedLeaf(sql, userId),
      messages: rows.map((row) => copiedFor(settle(row, live), reader, rounds.get(row.id) ?? [])),
      files: rows.flatMap(({ attachments }) => sentFiles(attachments)),
      compactions: [...compactionsAt(sql, ids).values()].filter(({ status }) => status !== "running"),
      costMicros: 0,
      rounds: [...rounds].map(([replyId, of]) => ({
        replyId,
        rounds: of.map((round) => settleRound(round, reader, { hasReasoning: theirs.has(replyId) })),
      })),
    },
  };
}

/** What another person's copy begins with: a persona and knowledge are their owner's, and what reads a person's own is theirs to switch on. */
function othersSettings(settings: ChatSettings): ChatSettings {
  const { tool_categories: categories, ...portable } = PortableSettings.parse(settings);
  return applySettings(NO_SETTINGS, { ...portable, tool_categories: categories?.filter((id) => !isOwnCategory(id)) });
}

/** A row without what others know and have. */
function copiedFor(row: MessageRow, reader: Pick<Copier, "userId" | "sources">, rounds: readonly StoredRound[]): MessageRow {
  const { userId } = reader;
  const calls = rounds.flatMap((round) => round.calls);
  const citations = row.citations && JSON.stringify(shownCitations(row, userId, { calls }));
  return {
    ...row,
    citations,
    ...(!isTheirs(row, reader) && { reasoning_details: null, ...(row.used_own === 1 && { reasoning: null, reasoning_ms: null }) }),
    memory: copiedMemory(row, userId),
    context: isTheirs(row, reader) ? row.context : null,
    knowledge: copiedLook(row, userId),
    trusted_for: row.trusted_for === userId ? userId : null,
  };
}

/** True for an answer of which this reader may read all that went into it. */
function isTheirs(row: MessageRow, { userId, sources }: Pick<Copier, "userId" | "sources">): boolean {
  return row.payer_id === userId && includesAllSources(sources);
}

/** Stores a part of a copy. */
export function pastePart(sql: SqlStorage, uploaderId: string, part: CopyPart): void {
  for (const row of part.messages) {
    insertRow(sql, row);
    const files = sentFiles(row.attachments).filter(({ isMissing }) => !isMissing);
    for (const file of files) addFile(sql, uploaderId, file);
    markUsed(sql, files);
  }
  for (const { replyId, rounds } of part.rounds) {
    for (const round of rounds) {
      insertRound(sql, replyId, round);
      for (const call of round.calls) {
        updateCall(sql, replyId, call);
        if (call.costMicros !== null) addCallUse(sql, { replyId, callId: call.id, micros: call.costMicros, usage: null });
      }
    }
  }
  for (const compaction of part.compactions) storeCompaction(sql, compaction);
}

/** Fills a chat that was just created with a copy; parts of it may be here already; call it in the transaction that creates it. */
export function pasteChat(sql: SqlStorage, uploaderId: string, copy: ChatCopy): void {
  pastePart(sql, uploaderId, copy);
  if (copy.isImported) markImported(sql);
  insertTodos(sql, copy.beside?.todos ?? []);
  for (const mail of copy.beside?.mails ?? []) insertMail(sql, mail);
  const last = (copy.headId && findMessage(sql, copy.headId)) || newestMessage(sql);
  const by = last && byOf(last);
  changeChat(sql, {
    head_id: last?.id ?? null,
    cost_micros: copy.costMicros,
    forked_from: copy.origin && JSON.stringify(copy.origin),
    ...(last && by && lastMessage({ content: last.content, ...by, at: copy.lastAt ?? readChat(sql).created_at })),
  });
}

function byOf({ author_id: userId, author_name: name, model_id: modelId }: MessageRow) {
  return userId === null ? { sender: null, modelId } : { sender: { userId, displayName: name ?? "" } };
}

function newestMessage(sql: SqlStorage): MessageRow | undefined {
  return sql.exec<MessageRow>("SELECT * FROM messages ORDER BY seq DESC LIMIT 1").toArray()[0];
}

/** The table numbers the rows again, in their order. */
function insertRow(sql: SqlStorage, row: MessageRow): void {
  const fields = Object.entries(row).filter(([column]) => column !== "seq");
  const columns = fields.map(([column]) => column).join(", ");
  sql.exec(`INSERT INTO messages (${columns}) VALUES (${fields.map(() => "?").join(", ")})`, ...fields.map(([, value]) => value));
}

function sizeOf(sql: SqlStorage): number {
  const { n } = sql
    .exec<{ n: number }>(
      `SELECT COALESCE((SELECT SUM(length(content) + length(COALESCE(reasoning, ''))) FROM messages), 0)
         + COALESCE((SELECT SUM(length(COALESCE(output, '')) + length(COALESCE(parts, '')) + length(arguments)) FROM tool_calls), 0) AS n`,
    )
    .one();
  return n;
}

/** A message that nobody works on any more: repeats of requests and replies in progress stay with the original. */
function settle(row: MessageRow, live: FindLive): MessageRow {
  const mail = storedMail(row.mail);
  // Whoever copies it may be one who sees no addresses.
  const messaging = row.messaging === null ? null : MessageMessaging.parse(JSON.parse(row.messaging));
  const own = {
    ...row,
    request_hash: null,
    reply_id: null,
    mail: mail && JSON.stringify(withoutAddresses(mail)),
    messaging: messaging && JSON.stringify({ ...messaging, from: null } satisfies MessageMessaging),
  };
  if (!isLive(MessageStatus.parse(row.status))) return own;
  const so = live(row.id);
  return { ...own, status: "interrupted", content: so?.text ?? row.content, reasoning: so?.reasoning || row.reasoning };
}

function settleRound(
  round: StoredRound,
  { sources, ...reader }: CallReader & Pick<Copier, "sources">,
  { hasReasoning }: { hasReasoning: boolean },
): StoredRound {
  return {
    ...round,
    ...(!hasReasoning && { reasoningDetails: [] }),
    calls: round.calls.map((made) => {
      const call = mayUse(sources, made.tool) ? copiedCall(made, reader) : withoutTexts(made);
      const status = call.status === "running" || call.status === "waiting" ? "stopped" : call.status;
      return { ...call, status, parts: call.parts.map((part) => (part.status === "running" ? { ...part, status: "failed" } : part)) };
    }),
  };
}
