import type { ChatView } from "#shared/contracts/chat/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { RECENT_WINDOW_MS } from "#shared/limits.ts";
import type { ChatPages, CachedPage } from "./cached-lists.ts";

type Place = { view: ChatView; /** Milliseconds. */ now: number };

/** Puts a new or changed row where it belongs in a view, or nowhere; beyond where the loaded pages end it is left to the next one. */
export function upsertChat(held: ChatPages, chat: Chat, { view, now }: Place): ChatPages {
  const without = removeChat(held, chat.id);
  if (groupRank(view, chat, now) === null) return without;
  const { pages } = without;
  const isFollowed = (other: Chat) => isBefore(view, chat, other, now);
  // Pages are in order, so each one's last row is enough.
  const index = pages.findIndex(({ chats }) => chats.slice(-1).some(isFollowed));
  const at = index === -1 ? pages.length - 1 : index;
  const page = pages[at];
  if (!page || (index === -1 && page.nextCursor !== null && !(page.end && !isBefore(view, page.end, chat, now)))) return without;
  const place = page.chats.findIndex(isFollowed);
  const chats = page.chats.toSpliced(place === -1 ? page.chats.length : place, 0, chat);
  return { pages: pages.with(at, { ...page, chats }) };
}

/** The held pages and the next one, without what live events have shown already. */
export function appendPage(held: ChatPages, page: CachedPage): ChatPages {
  const shown = new Set(held.pages.flatMap(({ chats }) => chats.map(({ id }) => id)));
  return { pages: [...held.pages, { ...page, chats: page.chats.filter(({ id }) => !shown.has(id)) }] };
}

/** Takes a row out; pages without it keep their identity. */
export function removeChat(held: ChatPages, id: string): ChatPages {
  return changePage(held, id, (chats) => chats.filter((chat) => chat.id !== id));
}

/** Changes fields of one row where it stands; rows of other chats keep their identity. */
export function patchChat(held: ChatPages, id: string, patch: Partial<Chat>): ChatPages {
  return changePage(held, id, (chats) => chats.map((chat) => (chat.id === id ? { ...chat, ...patch } : chat)));
}

function changePage(held: ChatPages, id: string, change: (chats: Chat[]) => Chat[]): ChatPages {
  const at = held.pages.findIndex((page) => page.chats.some((chat) => chat.id === id));
  const page = held.pages[at];
  return page ? { pages: held.pages.with(at, { ...page, chats: change(page.chats) }) } : held;
}

/** The first page carries the server's count of unread chats; what happens since is added to it. */
export function countUnread(held: ChatPages, change: number): ChatPages {
  const [first] = held.pages;
  if (!first || change === 0) return held;
  return { pages: held.pages.with(0, { ...first, unreadCount: Math.max(0, first.unreadCount + change) }) };
}

/** True when no unread chat is beyond what the inbox has loaded. */
export function holdsAllUnread(inbox: ChatPages, now: number): boolean {
  const last = inbox.pages.at(-1);
  if (!last || last.nextCursor === null) return last !== undefined;
  return last.end !== undefined && groupRank("inbox", last.end, now) !== 0;
}

/** The stretches of the inbox, in their order. */
export const INBOX_GROUPS = ["Unread", "Pinned", "Last 24 hours"] as const;

/** Which stretch of a view a chat stands in at `now` (milliseconds), counted from the top; null where it is no part of the view. */
export function groupRank(view: ChatView, chat: Chat, now: number): number | null {
  if (view === "archived") return chat.archived ? 0 : null;
  if (chat.archived) return null;
  if (view === "all" || !chat.isRead) return 0;
  if (chat.isPinned) return 1;
  return chat.lastMessageAt >= new Date(now - RECENT_WINDOW_MS).toISOString() ? 2 : null;
}

/** By stretch, then newest first; equal times by id, as the server pages. */
export function isBefore(view: ChatView, a: Chat, b: Chat, now: number): boolean {
  const [rankA, rankB] = [groupRank(view, a, now) ?? Number.POSITIVE_INFINITY, groupRank(view, b, now) ?? Number.POSITIVE_INFINITY];
  if (rankA !== rankB) return rankA < rankB;
  return a.lastMessageAt === b.lastMessageAt ? a.id > b.id : a.lastMessageAt > b.lastMessageAt;
}
