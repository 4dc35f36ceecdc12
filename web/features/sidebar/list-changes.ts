import { type ChatView, listChats } from "#shared/contracts/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { countUnread, holdsAllUnread, patchChat, removeChat, upsertChat } from "./chat-pages.ts";
import { type ChatPages, heldChat, heldPages, VIEWS } from "./held-list.ts";

/** A person's own marks on a chat. */
export type Mark = Pick<Partial<Chat>, "isRead" | "isPinned" | "archived">;

type HeldMark = { id: string; mark: Mark };
const heldMarks = new Set<HeldMark>();

/** Keeps a mark that the server has not answered yet over what it tells of the chat meanwhile. */
export function holdMark(id: string, mark: Mark): HeldMark {
  const held = { id, mark };
  heldMarks.add(held);
  return held;
}

/** The server has answered: what it tells counts again. */
export function releaseMark(held: HeldMark): void {
  heldMarks.delete(held);
}

/** Changes the held pages of a view, where there are some. */
function changeView(view: ChatView, change: (held: ChatPages) => ChatPages): void {
  queryClient.setQueryData<ChatPages>(keys.chats(view), (held) => held && change(held));
}

/** Shows a new or changed row where it now belongs, in every held view. */
export function showChat(told: Chat): void {
  const chat = [...heldMarks].reduce((row, { id, mark }) => (id === row.id ? { ...row, ...mark } : row), told);
  const before = heldChat(chat.id);
  const now = Date.now();
  const inbox = heldPages("inbox");
  for (const view of VIEWS) changeView(view, (held) => upsertChat(held, chat, { view, now }));
  if (inbox && before === undefined && !holdsAllUnread(inbox, now)) void recount();
  else countBy(unread(chat) - unread(before));
}

/** Takes a row out of every held view. */
export function hideChat(id: string): void {
  const before = heldChat(id);
  for (const view of VIEWS) changeView(view, (held) => removeChat(held, id));
  countBy(-unread(before));
}

/** Changes fields of a row that do not move it. */
export function changeRow(id: string, patch: Pick<Partial<Chat>, "title" | "isStreaming">): void {
  for (const view of VIEWS) changeView(view, (held) => patchChat(held, id, patch));
}

function countBy(change: number): void {
  changeView("inbox", (held) => countUnread(held, change));
}

function unread(chat: Chat | undefined): number {
  return chat && !chat.isRead && !chat.archived ? 1 : 0;
}

let counting: Promise<void> | null = null;

/** Asks for the count of unread chats where more of them exist than are loaded, so that none can tell what a change did. */
function recount(): Promise<void> {
  counting ??= call(listChats, { query: { view: "inbox", limit: 1 } })
    .then(({ unreadCount }) => changeView("inbox", (held) => countUnread(held, unreadCount - (held.pages[0]?.unreadCount ?? 0))))
    // The next change asks again.
    .catch(() => undefined)
    .finally(() => {
      counting = null;
    });
  return counting;
}
