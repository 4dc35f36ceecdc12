import { type ChatView, listChats } from "#shared/contracts/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { UNREAD_COUNT_MAX } from "#shared/limits.ts";
import { call } from "#web/lib/api.ts";
import { seenCursor } from "#web/lib/live.ts";
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
  const now = Date.now();
  changeRows(chat.id, unread(chat), (view, held) => upsertChat(held, chat, { view, now }));
}

/** Takes a row out of every held view. */
export function hideChat(id: string): void {
  changeRows(id, 0, (_, held) => removeChat(held, id));
}

/** Changes what is held of a chat, which then counts as so many unread ones. */
function changeRows(id: string, counts: number, change: (view: ChatView, held: ChatPages) => ChatPages): void {
  const before = heldChat(id);
  const difference = counts - unread(before);
  const inbox = heldPages("inbox");
  const isKnown = inbox === undefined || (before ? difference === 0 || !isCapped(inbox) : holdsAllUnread(inbox, Date.now()));
  for (const view of VIEWS) changeView(view, (held) => change(view, held));
  if (isKnown) countBy(difference);
  else void recount();
}

/** True where there may be more unread chats than the server counts. */
function isCapped({ pages }: ChatPages): boolean {
  return (pages[0]?.unreadCount ?? 0) >= UNREAD_COUNT_MAX;
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

/** A hub whose count of changes went back is taken at its word. */
const COUNT_TRIES = 3;
let isCounting = false;
let isCountedAgain = false;

/** Asks for the count of unread chats where what is held cannot tell what a change did to it. */
async function recount(): Promise<void> {
  isCountedAgain = true;
  if (isCounting) return;
  isCounting = true;
  try {
    for (let tries = 1; isCountedAgain; tries += 1) {
      isCountedAgain = false;
      const { unreadCount, liveCursor } = await call(listChats, { query: { view: "inbox", limit: 1 } });
      // What was counted before the last news would undo what they told.
      if (Number(liveCursor) < seenCursor() && tries < COUNT_TRIES) isCountedAgain = true;
      else if (!isCountedAgain) changeView("inbox", (held) => countUnread(held, unreadCount - (held.pages[0]?.unreadCount ?? 0)));
    }
  } catch {
    // The next change asks again.
  } finally {
    isCounting = false;
  }
}
