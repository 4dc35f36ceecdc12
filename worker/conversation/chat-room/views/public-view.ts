import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import * as z from "zod/mini";
import { MessageStatus } from "#shared/entities/message.ts";
import { withoutPrivate } from "#shared/knowledge-citations.ts";
import type { PublicMessage } from "#shared/entities/public-chat.ts";
import { isLive } from "#shared/is-live.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { readChat } from "../chat.ts";
import { COPY_CHARACTERS } from "../copies/copy-chat.ts";
import { citationsOf } from "#worker/conversation/turn/path.ts";
import { messagesUpTo } from "../messages/messages.ts";
import type { PublicView } from "#worker/conversation/room/rpc.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

/** A page of a public chat holds at most so many messages, and further ones only up to so many characters. */
const PAGE_MESSAGES = 50;
const PAGE_CHARACTERS = 100_000;

const Published = z.object({ name: z.string(), at: z.string() });

type Step = { id: string; length: number };

/** A page of the chat where it is public, else null: the main branch, its settled messages that say something. */
export function readPublicView(sql: SqlStorage, page: number): PublicView | null {
  const chat = readChat(sql);
  if (chat.is_public !== 1) return null;
  const published = Published.parse(JSON.parse(chat.published ?? "null"));
  const steps = readSteps(sql, chat.main_id ?? chat.head_id);
  const pages = toPages(steps);
  return {
    id: chat.id,
    version: chat.version,
    title: chat.title,
    publishedBy: published.name,
    publishedAt: published.at,
    messages: readMessages(sql, pages[page - 1] ?? []),
    messageCount: steps.length,
    length: steps.reduce((sum, step) => sum + step.length, 0),
    page,
    pages: Math.max(1, pages.length),
  };
}

/** The version of the chat where it is public, else null: whether a page made earlier still shows it as it is. */
export function publicVersion(sql: SqlStorage): number | null {
  const { is_public: isPublic, version } = readChat(sql);
  return isPublic === 1 ? version : null;
}

/** A public chat's words, to be created as another chat: no files, tool calls, reasoning, people or costs. A reply in progress is left empty. */
export function copyPublicChat(sql: SqlStorage): Outcome<{ copy: ChatCopy; version: number }> {
  const chat = readChat(sql);
  if (chat.is_public !== 1) return { ok: false, code: "NOT_FOUND" };
  const headId = chat.main_id ?? chat.head_id;
  const rows = headId === null ? [] : messagesUpTo(sql, headId, Number.MAX_SAFE_INTEGER);
  if (rows.reduce((sum, { content }) => sum + content.length, 0) > COPY_CHARACTERS) {
    return { ok: false, code: "PAYLOAD_TOO_LARGE", message: "This chat is too long to copy." };
  }
  const { title, version, created_at: createdAt } = chat;
  const origin = headId === null ? null : { chat_id: chat.id, message_id: headId, title };
  const nothing = { settings: NO_SETTINGS, rounds: [], compactions: [], files: [], costMicros: 0 };
  return {
    ok: true,
    value: { version, copy: { ...nothing, title, createdAt, origin, headId, messages: rows.map(toPublicRow) } },
  };
}

const WITHOUT = {
  author_id: null,
  author_name: null,
  reasoning: null,
  reasoning_details: null,
  reasoning_ms: null,
  cost_micros: null,
  usage: null,
  finish_reason: null,
  error: null,
  generation: 0,
  last_seq: 0,
  request_hash: null,
  reply_id: null,
  attachments: null,
  autopilot: null,
  persona: null,
  knowledge: null,
  memory: null,
  schedule: null,
  worked_ms: null,
  mail: null,
  messaging: null,
  requested_model_id: null,
  trusted_for: null,
  payer_id: null,
  used_own: 0,
} as const;

function toPublicRow(row: MessageRow): MessageRow {
  // What somebody wrote to the chat, or to its person who forwarded it, is not the publisher's to show.
  const isForwarded = row.messaging !== null && MessageMessaging.parse(JSON.parse(row.messaging)).is_forwarded;
  const content = isSettled(row) && row.mail === null && !isForwarded ? row.content : "";
  const citations = withoutPrivate(citationsOf(row));
  const citationsJson = citations.length === 0 ? null : JSON.stringify(citations);
  return { ...row, ...WITHOUT, content, citations: citationsJson, status: row.role === "user" || content !== "" ? "done" : "interrupted" };
}

function isSettled({ status }: Pick<MessageRow, "status">): boolean {
  return !isLive(MessageStatus.parse(status));
}

/** The messages of the path that are shown, without their texts: a long chat's pages are known before one is read. */
function readSteps(sql: SqlStorage, headId: string | null): Step[] {
  return sql
    .exec<Step & { status: string }>(
      `WITH RECURSIVE path(id, parent_id, depth) AS (
         SELECT id, parent_id, 0 FROM messages WHERE id = ?
         UNION ALL
         SELECT m.id, m.parent_id, path.depth + 1 FROM messages m JOIN path ON m.id = path.parent_id
       )
       SELECT m.id, m.status, length(m.content) AS length FROM path JOIN messages m ON m.id = path.id WHERE m.mail IS NULL
         AND (m.messaging IS NULL OR json_extract(m.messaging, '$.is_forwarded') = 0) ORDER BY path.depth DESC`,
      headId,
    )
    .toArray()
    .filter((step) => step.length > 0 && isSettled(step));
}

function toPages(steps: readonly Step[]): Step[][] {
  const pages: Step[][] = [];
  let characters = 0;
  for (const step of steps) {
    const page = pages.at(-1);
    const isFull = !page || page.length === PAGE_MESSAGES || characters + step.length > PAGE_CHARACTERS;
    if (isFull) pages.push([step]);
    else page.push(step);
    characters = isFull ? step.length : characters + step.length;
  }
  return pages;
}

function readMessages(sql: SqlStorage, steps: readonly Step[]): PublicMessage[] {
  const rows = sql
    .exec<MessageRow>("SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(steps.map(({ id }) => id)))
    .toArray();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return steps.flatMap(({ id }) => {
    const row = byId.get(id);
    return row ? [toPublicMessage(row)] : [];
  });
}

function toPublicMessage(row: MessageRow): PublicMessage {
  const { id, content, model_id: model, created_at } = row;
  const isAnswer = row.role === "assistant";
  return {
    id,
    role: isAnswer ? "assistant" : "user",
    content,
    model_id: isAnswer ? model : null,
    // Each keeps its number, which the text refers to it by.
    citations: withoutPrivate(citationsOf(row)).map((citation) =>
      /^https?:\/\//i.test(citation.url) ? citation : { url: "", title: null },
    ),
    created_at,
  };
}
