import type { InfiniteData } from "@tanstack/react-query";
import type { listChats } from "#shared/contracts/chats.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { Chat } from "#shared/entities/chat.ts";

export type ChatsPage = ResponseOf<typeof listChats>;
export type ChatPages = InfiniteData<ChatsPage, string | undefined>;

/** Newest first; equal times by id, as the server pages. */
function isBefore(a: Chat, b: Chat): boolean {
  return a.lastMessageAt === b.lastMessageAt ? a.id > b.id : a.lastMessageAt > b.lastMessageAt;
}

/** Puts a new or changed row where its time says; beyond the last loaded row it is left to the next page. */
export function upsertChat(held: ChatPages, chat: Chat): ChatPages {
  const before = held.pages.flatMap((page) => page.chats).find((other) => other.id === chat.id);
  const { pages } = countUnread(dropRow(held, chat.id), unread(chat) - unread(before));
  const index = pages.findIndex((page) => page.chats.some((other) => isBefore(chat, other)));
  const at = index === -1 ? pages.length - 1 : index;
  const page = pages[at];
  if (!page || (index === -1 && page.nextCursor !== null)) return { ...held, pages };
  const place = page.chats.findIndex((other) => isBefore(chat, other));
  return { ...held, pages: pages.with(at, { ...page, chats: page.chats.toSpliced(place === -1 ? page.chats.length : place, 0, chat) }) };
}

/** Takes a row out. */
export function removeChat(held: ChatPages, id: string): ChatPages {
  const row = held.pages.flatMap((page) => page.chats).find((chat) => chat.id === id);
  return countUnread(dropRow(held, id), -unread(row));
}

/** Changes fields of one row where it stands; rows of other chats keep their identity. */
export function patchChat(held: ChatPages, id: string, patch: Partial<Chat>): ChatPages {
  const change = (chat: Chat): Chat => (chat.id === id ? { ...chat, ...patch } : chat);
  return { ...held, pages: held.pages.map((page) => ({ ...page, chats: page.chats.map(change) })) };
}

function unread(chat: Chat | undefined): number {
  return chat && !chat.isRead ? 1 : 0;
}

function dropRow(held: ChatPages, id: string): ChatPages {
  return { ...held, pages: held.pages.map((page) => ({ ...page, chats: page.chats.filter((chat) => chat.id !== id) })) };
}

/** The first page carries the server's count; what happens since is added to it. */
function countUnread(held: ChatPages, change: number): ChatPages {
  const [first] = held.pages;
  if (!first || change === 0) return held;
  return { ...held, pages: held.pages.with(0, { ...first, unreadCount: Math.max(0, first.unreadCount + change) }) };
}
