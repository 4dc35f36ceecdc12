import type { MarkedText, SearchHit } from "#shared/contracts/search.ts";
import type { Chat } from "#shared/entities/chat.ts";

/** A chat with what matched in it: the first hit stands with its title, the others below. */
export type SearchGroup = { chatId: string; lead: SearchHit; more: SearchHit[] };

/** Hits below a chat's title before they are folded. */
const MORE_SHOWN = 2;

/** Hits by chat, in the order in which the chats were found. */
export function groupHits(hits: readonly SearchHit[]): SearchGroup[] {
  const groups = new Map<string, SearchGroup>();
  for (const hit of hits) {
    const group = groups.get(hit.chat.id);
    // A title that is found after messages of its chat, on a later page, has nothing to add.
    if (group && hit.kind === "chat") continue;
    if (group) group.more.push(hit);
    else groups.set(hit.chat.id, { chatId: hit.chat.id, lead: hit, more: [] });
  }
  return [...groups.values()];
}

/** The hits that show below a chat's title, and how many are folded: one alone never is. */
export function shownOf({ chatId, more }: SearchGroup, unfolded: ReadonlySet<string>): { shown: SearchHit[]; folded: number } {
  const isFolded = more.length > MORE_SHOWN + 1 && !unfolded.has(chatId);
  const shown = isFolded ? more.slice(0, MORE_SHOWN) : more;
  return { shown, folded: more.length - shown.length };
}

/** A chat of the list as a hit, with nothing marked. */
export function hitOfChat(chat: Chat): SearchHit {
  return {
    kind: "chat",
    id: chat.id,
    chat: {
      id: chat.id,
      title: { text: chat.title, ranges: [] },
      isRead: chat.isRead,
      isPinned: chat.isPinned,
      archived: chat.archived,
      isShared: chat.isShared || chat.hasBeenShared,
    },
    author: chat.lastMessageSender || null,
    model_id: null,
    time: chat.lastMessageAt,
    snippet: { text: chat.lastMessagePreview, ranges: [] },
  };
}

/** A snippet whose first match stands no further in than `lead` characters, which what precedes it gives way to. */
export function nearMatch({ text, ranges }: MarkedText, lead: number): MarkedText {
  const first = ranges[0]?.start ?? 0;
  if (first <= lead) return { text, ranges };
  const space = text.indexOf(" ", first - lead);
  const from = space === -1 || space >= first ? first : space + 1;
  const shift = from - 2;
  return {
    text: `… ${text.slice(from)}`,
    ranges: ranges.map(({ start, end }) => ({ start: start - shift, end: end - shift })),
  };
}

/** Where a hit leads: to its very message. */
export function pathOfHit({ kind, id, chat }: SearchHit): string {
  if (kind === "email") return `/c/${chat.id}?email=${id}`;
  return kind === "message" ? `/c/${chat.id}?message=${id}` : `/c/${chat.id}`;
}
