import type { ChatView } from "#shared/contracts/chat/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { dayGroup } from "#web/lib/format.ts";
import type { CachedPage } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { INBOX_GROUPS, groupRank } from "#web/features/conversation/chat-cache/chat-pages.ts";

/** A line of the list: a heading or a chat. */
export type ListItem = { kind: "group"; key: string; label: string } | { kind: "chat"; key: string; chat: Chat };

/** The lines of a view at `now`: its chats, under the heading of their stretch of the inbox, or else of their day, week or month. */
export function listItems(view: ChatView, pages: readonly CachedPage[], now: Date): ListItem[] {
  const linesOf = view === "inbox" ? inboxLines(now) : dayLines(now);
  const items: ListItem[] = [];
  let group: string | null = null;
  for (const { chats } of pages) {
    for (const { label, item } of linesOf(chats)) {
      if (label !== group) items.push({ kind: "group", key: `group ${label}`, label });
      group = label;
      items.push(item);
    }
  }
  return items;
}

type Line = { label: string; item: ListItem };

/** Works out the lines of a page once for each `key` of the time: with 200 pages loaded, only a new page costs work. */
function remember(labelOf: (chat: Chat, now: Date) => string | null, keyOf: (now: Date) => string) {
  let cached = new WeakMap<readonly Chat[], Line[]>();
  let cachedKey = "";
  return (now: Date) => {
    const key = keyOf(now);
    if (key !== cachedKey) cached = new WeakMap();
    cachedKey = key;
    return (chats: readonly Chat[]): Line[] => {
      const known = cached.get(chats);
      if (known) return known;
      const lines = chats.flatMap((chat): Line[] => {
        const label = labelOf(chat, now);
        return label === null ? [] : [{ label, item: { kind: "chat", key: chat.id, chat } }];
      });
      cached.set(chats, lines);
      return lines;
    };
  };
}

const dayLines = remember(
  (chat, now) => dayGroup(chat.lastMessageAt, now),
  (now) => now.toDateString(),
);

/** A chat that has left the inbox by the passing of time has no line. */
const inboxLines = remember(
  (chat, now) => {
    const rank = groupRank("inbox", chat, now.getTime());
    return rank === null ? null : (INBOX_GROUPS[rank] ?? null);
  },
  (now) => now.toISOString(),
);
