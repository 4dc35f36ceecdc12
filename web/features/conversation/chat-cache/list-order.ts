import type { ChatView } from "#shared/contracts/chat/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { RECENT_WINDOW_MS } from "#shared/limits.ts";

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
