import type { Chat } from "#shared/entities/chat.ts";
import { dayGroup } from "#web/lib/format.ts";

/** A line of the list: a heading or a chat. */
export type ListItem = { kind: "group"; key: string; label: string } | { kind: "chat"; key: string; chat: Chat };

/** The chats, newest first, with a heading before each new day, week or month. */
export function listItems(chats: readonly Chat[], now: Date): ListItem[] {
  const items: ListItem[] = [];
  let group: string | null = null;
  for (const chat of chats) {
    const label = dayGroup(chat.lastMessageAt, now);
    if (label !== group) items.push({ kind: "group", key: `group ${label}`, label });
    group = label;
    items.push({ kind: "chat", key: chat.id, chat });
  }
  return items;
}
