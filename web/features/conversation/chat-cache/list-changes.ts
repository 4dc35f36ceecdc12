import { listChats } from "#shared/contracts/chat/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { UNREAD_COUNT_MAX } from "#shared/limits.ts";
import { isInWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { seenCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { countUnread, holdsAllUnread, patchChat, removeChat, upsertChat } from "./chat-pages.ts";
import { type ChatPages, cachedChats, cachedLists, cachedPages, type List } from "./cached-lists.ts";
import { isInScope } from "./list-scope.ts";
import { inWorkspace } from "./use-chats.ts";

/** A person's own marks on a chat. */
export type Mark = Pick<Partial<Chat>, "isRead" | "isPinned" | "archived" | "folder_id" | "tags">;

type PendingMark = { id: string; mark: Mark };
const pendingMarks = new Set<PendingMark>();

/** Keeps a mark that the server has not answered yet over what it says of the chat meanwhile. */
export function addPendingMark(id: string, mark: Mark): PendingMark {
  const pendingMark = { id, mark };
  pendingMarks.add(pendingMark);
  return pendingMark;
}

/** The server has answered: what it says counts again. */
export function removePendingMark(pendingMark: PendingMark): void {
  pendingMarks.delete(pendingMark);
}

/** Changes the held pages of a list, where there are some. */
function changeList({ workspace, view, scope }: List, change: (cached: ChatPages) => ChatPages): void {
  queryClient.setQueryData<ChatPages>(keys.chats(workspace, view, scope), (cached) => cached && change(cached));
}

/** Shows a new or changed row where it now belongs, in every held list; in none of a workspace that it left. */
export function showChat(chat: Chat): void {
  showChats([chat]);
}

/** Shows many new or changed rows at once: each held list is changed once. */
export function showChats(rows: readonly Chat[]): void {
  const marks = Map.groupBy(pendingMarks, ({ id }) => id);
  changeRows(
    rows.map((chat) => {
      const after = (marks.get(chat.id) ?? []).reduce((row, { mark }) => ({ ...row, ...mark }), chat);
      return { id: chat.id, after };
    }),
  );
}

/** Takes a row out of every held list. */
export function hideChat(id: string): void {
  changeRows([{ id, after: undefined }]);
}

type RowChange = { id: string; after: Chat | undefined };

/** Changes what is held of chats to `after`, and counts what is unread in each workspace. */
function changeRows(changes: readonly RowChange[]): void {
  const lists = cachedLists();
  const now = Date.now();
  const before = cachedChats(changes.map(({ id }) => id));
  const differences = [...new Set(lists.map(({ workspace }) => workspace))].map((workspace) => {
    const inbox = cachedPages({ workspace, view: "inbox" });
    let difference = 0;
    let isKnown = true;
    for (const [index, { after }] of changes.entries()) {
      const by = unreadIn(workspace, after) - unreadIn(workspace, before[index]);
      difference += by;
      if (inbox !== undefined) isKnown &&= before[index] ? by === 0 || !isCapped(inbox) : holdsAllUnread(inbox, now);
    }
    return { workspace, difference, isKnown };
  });
  for (const list of lists) changeList(list, (cached) => changes.reduce((pages, change) => changed(pages, change, { list, now }), cached));
  for (const { workspace, difference, isKnown } of differences) {
    if (isKnown) countBy(workspace, difference);
    else void recount(workspace);
  }
}

function changed(cached: ChatPages, { id, after }: RowChange, { list, now }: { list: List; now: number }): ChatPages {
  const { workspace, view, scope } = list;
  const isIn = after !== undefined && isInWorkspace(workspace, after) && isInScope(scope, workspace, after);
  return isIn ? upsertChat(cached, after, { view, now }) : removeChat(cached, id);
}

/** True where there may be more unread chats than the server counts. */
function isCapped({ pages }: ChatPages): boolean {
  return (pages[0]?.unreadCount ?? 0) >= UNREAD_COUNT_MAX;
}

/** Changes fields of a row that do not move it. */
export function changeRow(id: string, patch: Pick<Partial<Chat>, "title" | "isStreaming">): void {
  for (const list of cachedLists()) changeList(list, (cached) => patchChat(cached, id, patch));
}

function countBy(workspace: WorkspaceId, change: number): void {
  changeList({ workspace, view: "inbox" }, (cached) => countUnread(cached, change));
}

function unreadIn(workspace: WorkspaceId, chat: Chat | undefined): number {
  return chat && isInWorkspace(workspace, chat) && !chat.isRead && !chat.archived ? 1 : 0;
}

/** A hub whose count of changes went back is taken at its word. */
const COUNT_TRIES = 3;
/** The workspaces that are being counted, and whether a change came in between. */
const counting = new Map<WorkspaceId, { isAskedAgain: boolean }>();

/** Asks for a workspace's count of unread chats where what is held does not show what a change did to it. */
async function recount(workspace: WorkspaceId): Promise<void> {
  const running = counting.get(workspace);
  if (running) return void (running.isAskedAgain = true);
  const state = { isAskedAgain: true };
  counting.set(workspace, state);
  try {
    for (let tries = 1; state.isAskedAgain; tries += 1) {
      state.isAskedAgain = false;
      const { unreadCount, liveCursor } = await call(listChats, { query: { view: "inbox", limit: 1, ...inWorkspace(workspace) } });
      // What was counted before the last news would undo that.
      if (Number(liveCursor) < seenCursor() && tries < COUNT_TRIES) state.isAskedAgain = true;
      else if (!state.isAskedAgain) {
        changeList({ workspace, view: "inbox" }, (cached) => countUnread(cached, unreadCount - (cached.pages[0]?.unreadCount ?? 0)));
      }
    }
  } catch {
    // The next change asks again.
  } finally {
    counting.delete(workspace);
  }
}
