import type { Chat } from "#shared/entities/chat.ts";
import { ownerName } from "#web/features/conversation/workspaces/owner-label.ts";

/** What waits in the inbox, in one sentence that begins with a chat to open. */
export type InboxSentence = { chat: { id: string; title: string }; rest: string };

/** Two titles and what is said of them stand in one line. */
const TITLE_LENGTH = 24;
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** What waits for an approval, then what is unread, where the inbox may hold more chats than it has read so far; null when nothing does. */
export function inboxSentence(inbox: readonly Chat[], unread: number): InboxSentence | null {
  const waiting = inbox.filter(({ isWaiting }) => isWaiting);
  const fresh = inbox.filter(({ isRead, isWaiting }) => !isRead && !isWaiting);
  const count = Math.max(fresh.length, unread - waiting.filter(({ isRead }) => !isRead).length);
  const [first, ...others] = waiting;
  const unreadPart = fresh.length === 0 ? null : subjectOf(fresh, count);
  if (first) {
    const who = others.length === 0 ? " waits" : ` and ${othersIn(others.length)} wait`;
    return { chat: shown(first), rest: `${who} for approval${unreadPart ? `, and ${unreadPart.fullSentence}` : ""}.` };
  }
  return unreadPart && { chat: unreadPart.chat, rest: `${unreadPart.rest}.` };
}

/** In a team: in whose chats there is news, by first name, one's own by their titles; as in any inbox where a chat waits for approval. */
export function inboxSentenceByPerson(inbox: readonly Chat[], unread: number): InboxSentence | null {
  const fresh = inbox.filter(({ isRead }) => !isRead);
  if (fresh.length < unread || inbox.some(({ isWaiting }) => isWaiting)) return inboxSentence(inbox, unread);
  const subjects = new Map<string, Chat>();
  for (const chat of fresh) {
    const who = (chat.isShared && ownerName(chat)?.trim().split(/\s+/)[0]) || shown(chat).title;
    if (!subjects.has(who)) subjects.set(who, chat);
  }
  const [first, second] = subjects;
  if (!first) return null;
  const [title, { id }] = first;
  const others = subjects.size === 2 && second ? second[0] : othersIn(subjects.size - 1);
  return { chat: { id, title }, rest: subjects.size === 1 ? " has news." : ` and ${others} have news.` };
}

function subjectOf(chats: readonly Chat[], count: number): { chat: InboxSentence["chat"]; rest: string; fullSentence: string } | null {
  const [first, second] = chats;
  if (!first) return null;
  const chat = shown(first);
  const rest = count === 1 ? " has news" : ` and ${count === 2 && second ? shown(second).title : othersIn(count - 1)} have news`;
  return { chat, rest, fullSentence: chat.title + rest };
}

function othersIn(count: number): string {
  return `${NUMBERS[count] ?? count.toLocaleString("en")} ${count === 1 ? "other" : "others"}`;
}

/** A chat as a sentence names it: its title, cut. */
export function shown({ id, title }: Chat): InboxSentence["chat"] {
  return { id, title: shownTitle(title || "New Chat") };
}

/** A title as a sentence has it, cut. */
export function shownTitle(title: string): string {
  const letters = Array.from(title);
  return letters.length <= TITLE_LENGTH ? title : `${letters.slice(0, TITLE_LENGTH).join("").trimEnd()}…`;
}
