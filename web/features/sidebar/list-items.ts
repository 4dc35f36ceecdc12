import type { ChatView } from "#shared/contracts/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { dayGroup } from "#web/lib/format.ts";
import type { HeldPage } from "./held-list.ts";
import { INBOX_GROUPS, rankIn } from "./list-order.ts";

/** A line of the list: a heading or a chat. */
export type ListItem = { kind: "group"; key: string; label: string } | { kind: "chat"; key: string; chat: Chat };

/** The lines of a view at `now`: each chat once, under the heading of its stretch of the inbox, or else of its day, week or month. */
export function listItems(view: ChatView, pages: readonly HeldPage[], now: Date): ListItem[] {
  const labelOf = view === "inbox" ? (chat: Chat) => inboxLabel(chat, now) : dayLabels(now);
  const groups = new Map<string, ListItem[]>(view === "inbox" ? INBOX_GROUPS.map((label) => [label, []]) : []);
  const seen = new Set<string>();
  for (const { chats } of pages) {
    for (const chat of chats) {
      const label = labelOf(chat);
      if (label === null || seen.has(chat.id)) continue;
      seen.add(chat.id);
      const rows = groups.get(label) ?? [];
      if (rows.push({ kind: "chat", key: chat.id, chat }) === 1) groups.set(label, rows);
    }
  }
  return [...groups].flatMap(([label, rows]) => (rows.length > 0 ? [{ kind: "group", key: `group ${label}`, label }, ...rows] : []));
}

/** Null for a chat that has left the inbox by the passing of time. */
function inboxLabel(chat: Chat, now: Date): string | null {
  const rank = rankIn("inbox", chat, now.getTime());
  return rank === null ? null : (INBOX_GROUPS[rank] ?? null);
}

let told = new WeakMap<Chat, string>();
let toldOn = "";

/** The headings of days, each row's told once a day: a list of 20,000 rows is gone through anew with every page. */
function dayLabels(now: Date): (chat: Chat) => string {
  const day = now.toDateString();
  if (day !== toldOn) told = new WeakMap();
  toldOn = day;
  return (chat) => {
    const label = told.get(chat) ?? dayGroup(chat.lastMessageAt, now);
    told.set(chat, label);
    return label;
  };
}
