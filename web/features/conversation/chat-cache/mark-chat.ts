import { updateChat } from "#shared/contracts/chat/chats.ts";
import type { Chat, ChatDetails } from "#shared/entities/chat.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { cachedChat, cachedChats } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { addPendingMark, type Mark, removePendingMark, showChats } from "#web/features/conversation/chat-cache/list-changes.ts";

function failureOf(mark: Mark): string {
  if (mark.isPinned !== undefined) return "Failed to update pin state";
  if (mark.isRead !== undefined) return mark.isRead ? "Failed to mark chat as read" : "Failed to mark chat as unread";
  return mark.archived ? "Failed to archive chat" : "Failed to restore chat";
}

/** Shows marks on a row and on the chat's own cache. */
export function showMark(chat: Chat, mark: Mark): void {
  showMarks([{ chat: cachedChat(chat.id) ?? chat, mark }]);
}

/** Shows marks on rows as they are now: each held list is changed once. */
function showMarks(marked: readonly { chat: Chat; mark: Mark }[]): void {
  showChats(marked.map(({ chat, mark }) => ({ ...chat, ...mark })));
  for (const { chat, mark } of marked)
    queryClient.setQueryData<{ chat: ChatDetails }>(keys.chat(chat.id), (cached) => cached && { chat: { ...cached.chat, ...mark } });
}

function rowsNow(chats: readonly Chat[]): Chat[] {
  const cached = cachedChats(chats.map(({ id }) => id));
  return chats.map((chat, index) => cached[index] ?? chat);
}

/** Of a chat's marks those that another one would change. */
function currentMarks({ isRead, isPinned, archived, folder_id, tags }: Chat, mark: Mark): Mark {
  return {
    ...(mark.isRead !== undefined && { isRead }),
    ...(mark.isPinned !== undefined && { isPinned }),
    ...(mark.archived !== undefined && { archived }),
    ...(mark.folder_id !== undefined && { folder_id }),
    ...(mark.tags !== undefined && { tags }),
  };
}

/** Shows marks of many chats ahead; returns how to take them back for some, after which what the server says counts again. */
export function showMarksOptimistically(chats: readonly Chat[], markOf: (chat: Chat) => Mark): (which: (chat: Chat) => boolean) => void {
  const shown = rowsNow(chats).map((chat) => {
    const mark = markOf(chat);
    return { chat, mark, pending: addPendingMark(chat.id, mark) };
  });
  showMarks(shown);
  return (which) => {
    for (const { pending } of shown) removePendingMark(pending);
    const back = shown.filter(({ chat }) => which(chat));
    const now = rowsNow(back.map(({ chat }) => chat));
    showMarks(back.map(({ chat: before, mark }, index) => ({ chat: now[index] ?? before, mark: currentMarks(before, mark) })));
  };
}

/** Sets one of the person's own marks on a chat: shown at once, and taken back with the reason when it is refused. Answers whether it was taken. */
export async function markChat(chat: Chat, mark: Mark): Promise<boolean> {
  const before = currentMarks(cachedChat(chat.id) ?? chat, mark);
  const pending = addPendingMark(chat.id, mark);
  showMark(chat, mark);
  try {
    await call(updateChat, { params: { id: chat.id }, body: mark });
    return true;
  } catch (error) {
    removePendingMark(pending);
    showMark(chat, before);
    toast({ tone: "danger", title: failureOf(mark), description: error instanceof Error ? error.message : "" });
    return false;
  } finally {
    removePendingMark(pending);
  }
}

/** Why a chat cannot be archived; null where it can. */
export function whyNotArchived(chat: Chat): string | null {
  if (chat.isShared) return `${chat.sharedByName ?? "Somebody"} shares it with you. Shared chats can't be archived.`;
  if (chat.hasBeenShared) return "You share it with others. Shared chats can't be archived.";
  return null;
}

/** Archives a chat, with a way back; a shared one stays, and the reason is said. */
export async function archiveChat(chat: Chat): Promise<void> {
  const reason = whyNotArchived(chat);
  if (reason !== null) return void toast({ tone: "warning", title: "This chat was not archived", description: reason });
  const done = markChat(chat, { archived: true });
  if (!(await done)) return undefined;
  toast({
    title: "Chat archived",
    description: chat.title || "New Chat",
    action: { label: "Undo", onClick: () => void markChat({ ...chat, archived: true }, { archived: false }) },
  });
  return undefined;
}

/** Brings a chat back from the archive. */
export async function restoreChat(chat: Chat): Promise<void> {
  if (await markChat(chat, { archived: false })) toast({ title: "Chat restored", description: chat.title || "New Chat" });
}
