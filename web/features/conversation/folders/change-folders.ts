import { createFolder, deleteFolder, restoreFolder, updateFolder } from "#shared/contracts/folders.ts";
import type { Folder, FolderWorkspace } from "#shared/entities/folders/folder.ts";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { currentWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { change } from "#web/features/conversation/filing/filing-change.ts";
import { type FolderPlace, withMoved } from "./folder-moves.ts";
import { type FoldersAndTags, cachedFolders } from "#web/features/conversation/chat-cache/cached-folders.ts";

type NewFolder = { name: string; parentId: string | null; workspace?: FolderWorkspace };

/** Makes a folder, in another or at the top of the shown workspace. */
export async function makeFolder({ name, parentId, workspace: wanted }: NewFolder): Promise<Folder | null> {
  const id = crypto.randomUUID();
  const parent = cachedFolders()?.folders.find((folder) => folder.id === parentId);
  const workspace = parent?.workspace ?? wanted ?? workspaceToFileIn();
  const folder: Folder = {
    id,
    name: name.trim(),
    parent_id: parentId,
    workspace,
    position: Number.MAX_SAFE_INTEGER,
    chat_count: 0,
    unread_count: 0,
    created_at: new Date().toISOString(),
  };
  const show = (cached: FoldersAndTags) => ({ ...cached, folders: [...cached.folders, folder] });
  const made = await change({ show, failure: "The folder was not made" }, () =>
    call(createFolder, { body: { id, name: folder.name, parent_id: parentId, workspace } }),
  );
  return made && made.folder;
}

/** Where a folder begins that is in no other: one's own workspace where all are shown. */
export function workspaceToFileIn(): FolderWorkspace {
  const shown = currentWorkspace();
  return shown === "all" ? "personal" : shown;
}

/** Gives a folder another name. */
export function renameFolder(id: string, name: string): Promise<unknown> {
  const show = (cached: FoldersAndTags) => ({
    ...cached,
    folders: cached.folders.map((folder) => (folder.id === id ? { ...folder, name } : folder)),
  });
  return change({ show, failure: "The folder was not renamed" }, () => call(updateFolder, { params: { id }, body: { name } }));
}

/** Moves a folder with all that is in it. */
export async function moveFolder(id: string, place: FolderPlace): Promise<boolean> {
  const body = place.beforeId === null ? { parent_id: place.parentId } : { before_id: place.beforeId };
  const show = (cached: FoldersAndTags) => ({ ...cached, folders: numbered(withMoved(inOrder(cached.folders), id, place)) });
  const moved = await change({ show, failure: "The folder was not moved" }, () => call(updateFolder, { params: { id }, body }));
  return moved !== null;
}

function inOrder(folders: readonly Folder[]): Folder[] {
  return folders.toSorted((a, b) => a.position - b.position);
}

/** In the order of the list; the server's own numbers follow. */
function numbered(folders: readonly Folder[]): Folder[] {
  return folders.map((folder, position) => ({ ...folder, position }));
}

/** Deletes a folder: what is in it moves up to where it was. With a way back. */
export async function removeFolder(folder: Folder): Promise<boolean> {
  const { id, parent_id: parentId } = folder;
  const show = (cached: FoldersAndTags) => {
    const ordered = inOrder(cached.folders);
    const up = ordered.filter((child) => child.parent_id === id).map((child) => ({ ...child, parent_id: parentId }));
    const at = ordered.findIndex((other) => other.id === id);
    const rest = ordered.toSpliced(at, 1, ...up).filter((other) => other.parent_id !== id);
    const counted = rest.map((other) => (other.id === parentId ? withCounts(other, folder) : other));
    return { ...cached, folders: numbered(counted) };
  };
  const deletion = await change({ show, failure: "The folder was not deleted" }, () => call(deleteFolder, { params: { id } }));
  if (deletion === null) return false;
  const undo = () =>
    void change({ show: (cached) => cached, failure: "The folder was not brought back" }, () =>
      call(restoreFolder, { body: { undo_token: deletion.undo_token } }),
    );
  toast({
    title: `“${folder.name}” was deleted`,
    ...(deletion.chats > 0 && { description: `${chatCountLabel(deletion.chats)} moved ${parentId === null ? "to your chats" : "up"}.` }),
    action: { label: "Undo", onClick: undo },
  });
  return true;
}

function withCounts(folder: Folder, { chat_count: chats, unread_count: unread }: Folder): Folder {
  return { ...folder, chat_count: folder.chat_count + chats, unread_count: folder.unread_count + unread };
}
