import type { Chat } from "#shared/entities/chat.ts";
import type { FolderWorkspace } from "#shared/entities/folders/folder.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { cachedFolders } from "#web/features/conversation/chat-cache/cached-folders.ts";
import type { ListScope } from "./cached-lists.ts";

/** True where a narrowed list holds the chat; one in a folder of another workspace is in none of this one's. */
export function isInScope(scope: ListScope | undefined, workspace: WorkspaceId, chat: Pick<Chat, "folder_id" | "tags">): boolean {
  const { folder, tag } = scope ?? {};
  if (tag !== undefined && !chat.tags.includes(tag)) return false;
  if (folder === "none") return chat.folder_id === null || !isShownIn(workspace, chat.folder_id);
  return folder === undefined || chat.folder_id === folder;
}

function isShownIn(workspace: WorkspaceId, folderId: string): boolean {
  const folder = cachedFolders()?.folders.find(({ id }) => id === folderId);
  return folder === undefined || belongsToWorkspace(workspace, folder.workspace);
}

/** True where what belongs to a workspace is shown. */
export function belongsToWorkspace(shown: WorkspaceId, workspace: FolderWorkspace): boolean {
  return shown === "all" || shown === workspace;
}
