import type { ExportedChat, ExportedMessage } from "#shared/sharing/exported-chat.ts";
import { CHAT_TITLE_LENGTH, DISPLAY_NAME_LENGTH, MODEL_ID_LENGTH } from "#shared/limits.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "#shared/sharing/exported-chat.ts";
import type { ImportResult, Importing } from "../source.ts";
import type { MessageTree, TreeMessage } from "./message-tree.ts";
import type { ExternalProject } from "./project-folder.ts";

/** A conversation of another product. `key` is what it is called there; `version` grows with it. Times are ISO 8601. */
export type ExternalChat = MessageTree & {
  key: string;
  version: number;
  title: string;
  createdAt: string | null;
  updatedAt: string | null;
  /** Whose it is a chat of, if of any. */
  project?: ExternalProject | null;
  /** What has to come before it is complete, as the chat of that id. */
  complete?: (importing: Importing, id: string) => Promise<{ chat: ExternalChat; brought: ImportResult }>;
  /** What all answers were asked to heed. */
  instructions?: string;
};

/** Characters of an address and of a page's title, as an exported chat may have them. */
const SHORT_LENGTH = 2_000;
const WEB_PAGE = /^https?:\/\/[^\s/?#\\]/i;
/** Before this there was no such product; times are in milliseconds. */
const EARLIEST_MS = Date.UTC(2015, 0, 1);
const DAY_MS = 24 * 60 * 60_000;

/** A time that an export says, in epoch seconds or as ISO 8601; null for what is none, or cannot be. */
export function timeOrNull(value: unknown): string | null {
  const ms = typeof value === "number" ? value * 1000 : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return ms >= EARLIEST_MS && ms <= Date.now() + DAY_MS ? new Date(ms).toISOString() : null;
}

/** Text as it can be stored: without what no other program can read. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** When a conversation began and was last written in, by its own word or its messages'. */
export function timeSpanOf({ createdAt, updatedAt, messages }: ExternalChat): { createdAt: string; lastAt: string } {
  const times = messages.flatMap(({ at }) => (at === null ? [] : [at])).toSorted();
  const begun = createdAt ?? times[0] ?? updatedAt ?? new Date().toISOString();
  const last = times.at(-1) ?? updatedAt ?? begun;
  return { createdAt: begun, lastAt: last < begun ? begun : last };
}

/** An external conversation as a chat's file has it, without its files. */
export function toExported(chat: ExternalChat, { displayName }: { displayName: string }): ExportedChat {
  const { createdAt } = timeSpanOf(chat);
  const author = displayName.slice(0, DISPLAY_NAME_LENGTH);
  const times = new Map<string, string>();
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exported_at: createdAt,
    title: cleanText(chat.title).trim().slice(0, CHAT_TITLE_LENGTH).toWellFormed(),
    model_id: null,
    tool_categories: [],
    created_at: createdAt,
    forked_from: null,
    head_id: chat.headId,
    messages: chat.messages.map((message) => {
      // What says no time of its own was said when the one before it was.
      const at = message.at ?? (message.parentId === null ? null : times.get(message.parentId)) ?? createdAt;
      times.set(message.id, at);
      return toMessage(message, { author, at });
    }),
    compactions: [],
  };
}

function toMessage(message: TreeMessage, { author, at }: { author: string; at: string }): ExportedMessage {
  const { id, parentId, role, content, reasoning, reasoningMs, modelId, citations } = message;
  const isAnswer = role === "assistant";
  const model = isAnswer && modelId !== null ? cleanText(modelId).slice(0, MODEL_ID_LENGTH) : null;
  return {
    id,
    parent_id: parentId,
    role,
    content: cleanText(content),
    author: isAnswer ? null : author,
    model_id: model,
    requested_model_id: null,
    autopilot: null,
    persona: null,
    status: "done",
    reasoning: isAnswer && reasoning !== null ? cleanText(reasoning) : null,
    reasoning_ms: isAnswer ? reasoningMs : null,
    tool_rounds: isAnswer ? message.calls.map((call) => roundOf(call, message)) : [],
    attachments: [],
    citations: isAnswer ? pagesOf(citations) : [],
    cost: null,
    usage: null,
    finish_reason: isAnswer ? "stop" : null,
    error: null,
    created_at: at,
  };
}

/** A call by itself, after the text up to its place and all reasoning. */
function roundOf(
  { place, tool, arguments: given, output }: TreeMessage["calls"][number],
  { content, reasoning, reasoningMs }: TreeMessage,
): ExportedMessage["tool_rounds"][number] {
  const at = Math.min(place, cleanText(content).length);
  const call = { tool, arguments: given, edited_input: null, status: "done" as const, decision: null, at, output };
  return {
    text_end: at,
    reasoning_end: cleanText(reasoning ?? "").length,
    reasoning_ms: reasoningMs ?? 0,
    usage: null,
    calls: [{ ...call, sources: [], images: [], parts: [], cost: null, duration_ms: null }],
  };
}

/** Links to pages of the web, each once. */
function pagesOf(citations: TreeMessage["citations"]): ExportedMessage["citations"] {
  const pages = new Map<string, { url: string; title: string | null }>();
  for (const { url, title } of citations) {
    if (!WEB_PAGE.test(url) || url.length > SHORT_LENGTH || pages.has(url)) continue;
    pages.set(url, { url: cleanText(url), title: title && cleanText(title).slice(0, SHORT_LENGTH) });
  }
  return [...pages.values()];
}
