import { FolderInput, FolderOpen, FolderPlus, Pencil, Trash2 } from "lucide-react";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { FOLDER_DEPTH } from "#shared/limits.ts";
import { setView, useSidebarState } from "#web/features/conversation/list-state/sidebar-state.ts";
import { MenuItem, MenuSeparator } from "#web/ui/menu/menu.tsx";
import { removeFolder } from "./change-folders.ts";
import { setNaming } from "#web/features/conversation/list-state/folder-state.ts";
import { pathOf } from "#shared/folders/tree.ts";
import { cachedFolders } from "#web/features/conversation/chat-cache/cached-folders.ts";
import { askForPlace } from "./place-question.ts";

/** The entries of a folder's menu. */
export function FolderItems({ folder }: { folder: Folder }) {
  const { id, parent_id: parentId } = folder;
  const { scope } = useSidebarState();
  const isOpened = scope?.folder === id;
  const depth = pathOf(cachedFolders()?.folders ?? [], id).length;
  const remove = async () => {
    if ((await removeFolder(folder)) && isOpened) setView("all", parentId === null ? undefined : { folder: parentId });
  };
  return (
    <>
      {!isOpened && (
        <MenuItem icon={FolderOpen} onClick={() => setView("all", { folder: id })}>
          Open
        </MenuItem>
      )}
      <MenuItem icon={Pencil} shortcut={isOpened ? undefined : "F2"} onClick={() => setNaming({ kind: "rename", id })}>
        Rename
      </MenuItem>
      <MenuItem icon={FolderPlus} disabled={depth >= FOLDER_DEPTH} onClick={() => setNaming({ kind: "new", parentId: id })}>
        New subfolder
      </MenuItem>
      <MenuItem icon={FolderInput} shortcut={isOpened ? undefined : "M"} onClick={() => askForPlace(id)}>
        Move…
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onClick={() => void remove()}>
        Delete folder
      </MenuItem>
    </>
  );
}
