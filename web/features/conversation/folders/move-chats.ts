import { fileChats } from "#shared/contracts/folders.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { cachedChat } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { showMarksOptimistically } from "#web/features/conversation/chat-cache/mark-chat.ts";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { call } from "#web/lib/api.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { change, inParts, reasonsOf, subject } from "#web/features/conversation/filing/filing-change.ts";
import type { FoldersAndTags } from "#web/features/conversation/chat-cache/cached-folders.ts";

/** Puts chats into a folder, or out of theirs; with a way back. */
export async function moveChats(chats: readonly Chat[], folder: Pick<Folder, "id" | "name"> | null): Promise<void> {
  const folderId = folder?.id ?? null;
  const moving = chats.map((chat) => cachedChat(chat.id) ?? chat).filter((chat) => chat.folder_id !== folderId);
  if (moving.length === 0) return;
  const takeBack = showMarksOptimistically(moving, () => ({ folder_id: folderId }));
  const show = (held: FoldersAndTags) => ({ ...held, folders: recounted(held.folders, moving, folderId) });
  const ids = moving.map(({ id }) => id);
  const failure = `${subject(moving)} not moved`;
  const answer = await change({ show, failure }, () =>
    inParts(ids, (part) => call(fileChats, { body: { chat_ids: part, folder_id: folderId } })),
  );
  if (answer === null) return takeBack(() => true);
  const { refused } = answer;
  takeBack(({ id }) => refused.has(id));
  if (refused.size === ids.length) return void toast({ tone: "danger", title: failure, description: reasonsOf(refused) });
  const moved = moving.filter(({ id }) => !refused.has(id));
  toast({
    title: `${moved.length === 1 ? "Chat" : chatCountLabel(moved.length)} moved ${folder ? `to “${folder.name}”` : "out of the folder"}`,
    ...(refused.size > 0 && { tone: "warning" as const, description: `${chatCountLabel(refused.size)} stayed: ${reasonsOf(refused)}` }),
    action: { label: "Undo", onClick: () => void moveBack(moved) },
  });
}

/** Back to the folders that they were in. */
async function moveBack(chats: readonly Chat[]): Promise<void> {
  for (const [folderId, group] of Map.groupBy(chats, (chat) => chat.folder_id)) {
    const takeBack = showMarksOptimistically(group, () => ({ folder_id: folderId }));
    const ids = group.map(({ id }) => id);
    const show = (held: FoldersAndTags) => held;
    const answer = await change({ show, failure: "Failed to undo" }, () =>
      inParts(ids, (part) => call(fileChats, { body: { chat_ids: part, folder_id: folderId } })),
    );
    takeBack(({ id }) => answer === null || answer.refused.has(id));
  }
}

function recounted(folders: readonly Folder[], moving: readonly Chat[], folderId: string | null): Folder[] {
  const counted = moving.filter(({ archived }) => !archived);
  const unread = (chats: readonly Chat[]) => chats.filter(({ isRead }) => !isRead).length;
  return folders.map((folder) => {
    const leaving = counted.filter((chat) => chat.folder_id === folder.id);
    const arriving = folder.id === folderId ? counted : [];
    if (leaving.length + arriving.length === 0) return folder;
    return {
      ...folder,
      chat_count: Math.max(0, folder.chat_count + arriving.length - leaving.length),
      unread_count: Math.max(0, folder.unread_count + unread(arriving) - unread(leaving)),
    };
  });
}
