import * as z from "zod/mini";
import { Chat, ChatDetails } from "#shared/entities/chat.ts";
import { Folder, Tag } from "#shared/entities/folders/folder.ts";
import { KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { Message } from "#shared/entities/message.ts";
import { Model } from "#shared/entities/model.ts";
import { isLive } from "#shared/is-live.ts";

/** Rows of a list, and messages of a chat, that are kept for when there is no network. */
const ROWS = 1_000;
const MESSAGES = 200;

const ChatPages = z.object({
  pages: z.array(
    z.object({
      chats: z.array(Chat),
      nextCursor: z.nullable(z.string()),
      unreadCount: z.number(),
      liveCursor: z.string(),
      end: z.optional(Chat),
    }),
  ),
});
const MessagePages = z.object({
  pages: z.array(z.object({ messages: z.array(Message), nextCursor: z.nullable(z.string()) })),
  pageParams: z.array(z.optional(z.string())),
});
type ChatPages = z.infer<typeof ChatPages>;
type MessagePages = z.infer<typeof MessagePages>;

/** What is kept of a query's answers: its name, its chat, and how it is read again. */
export type OfflineQuery = {
  name: string;
  /** Chats are many: those opened last are kept. */
  chatId: string | null;
  /** As much of the answer as is kept. */
  trim: (data: unknown) => unknown;
  /** The answer as it was kept, as it holds without a network; null for what another version wrote. */
  revive: (stored: unknown) => unknown;
};

/** What is kept of a query, by its key; null where nothing is. */
export function offlineQueryOf(key: readonly unknown[]): OfflineQuery | null {
  const [kind, id] = key;
  const name = JSON.stringify(key);
  if (kind === "chats") return { name, chatId: null, trim: only(ChatPages, firstRows), revive: only(ChatPages, settleRows) };
  if (kind === "models" && key.length === 1) {
    const models = only(z.object({ models: z.array(Model), stale: z.boolean() }));
    return { name, chatId: null, trim: models, revive: models };
  }
  if (kind === "folders" && key.length === 1) {
    const filing = only(z.object({ folders: z.array(Folder), tags: z.array(Tag) }));
    return { name, chatId: null, trim: filing, revive: filing };
  }
  if (kind === "knowledge" && id === "list") {
    const knowledge = only(z.object({ contexts: z.array(KnowledgeSummary) }));
    return { name, chatId: null, trim: knowledge, revive: knowledge };
  }
  if (typeof id !== "string" || id === "none" || key.length !== 2) return null;
  if (kind === "chat") {
    const chat = only(z.object({ chat: ChatDetails }));
    return { name, chatId: id, trim: chat, revive: chat };
  }
  if (kind === "messages") return { name, chatId: id, trim: only(MessagePages, lastMessages), revive: only(MessagePages, settleMessages) };
  return null;
}

/** What has the shape, and null for all else. */
function only<T>(schema: z.ZodMiniType<T>, change: (data: T) => T = (data) => data): (data: unknown) => T | null {
  return (data) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? change(parsed.data) : null;
  };
}

function firstRows({ pages }: ChatPages): ChatPages {
  return { pages: upTo(pages, ROWS, ({ chats }) => chats.length) };
}

function lastMessages({ pages, pageParams }: MessagePages): MessagePages {
  const trimmed = upTo(pages, MESSAGES, ({ messages }) => messages.length);
  return { pages: trimmed, pageParams: pageParams.slice(0, trimmed.length) };
}

/** The first pages, whole, until they hold as many; one at least. */
function upTo<T>(pages: readonly T[], most: number, count: (page: T) => number): T[] {
  let sum = 0;
  return pages.filter((page, index) => {
    sum += count(page);
    return index === 0 || sum <= most;
  });
}

/** Nobody here can say that a reply is still being written. */
function settleRows({ pages }: ChatPages): ChatPages {
  return { pages: pages.map((page) => ({ ...page, chats: page.chats.map((chat) => ({ ...chat, isStreaming: false })) })) };
}

function settleMessages({ pages, pageParams }: MessagePages): MessagePages {
  const settle = (message: Message): Message => (isLive(message.status) ? { ...message, status: "interrupted" } : message);
  return { pages: pages.map((page) => ({ ...page, messages: page.messages.map(settle) })), pageParams };
}
