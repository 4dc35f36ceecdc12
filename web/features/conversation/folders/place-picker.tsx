import type { Folder } from "#shared/entities/folders/folder.ts";
import { FOLDER_DEPTH } from "#shared/limits.ts";
import { moveFolder } from "./change-folders.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { canMove } from "./folder-moves.ts";
import { setFolderOpen } from "#web/features/conversation/list-state/folder-state.ts";
import { askForPlace, usePlaceQuestion } from "./place-question.ts";

/** Asks which folder another one goes into, once its menu or key wants to know. */
export function PlaceQuestion({ folders }: { folders: readonly Folder[] }) {
  const id = usePlaceQuestion();
  const folder = folders.find((other) => other.id === id);
  const anchor = folder && anchorOf(folder.id);
  if (!folder || !anchor) return null;
  const places = folders.filter(
    (other) => other.id === folder.parent_id || canMove(folders, folder.id, { parentId: other.id, beforeId: null }, FOLDER_DEPTH),
  );
  return (
    <FolderPicker
      anchor={anchor}
      label={`Move ${folder.name}`}
      folders={places}
      selectedId={folder.parent_id}
      none={folder.parent_id === null ? null : "No folder"}
      onPick={(parent) => {
        askForPlace(null);
        if ((parent?.id ?? null) === folder.parent_id) return;
        if (parent) setFolderOpen([parent.id], true);
        void moveFolder(folder.id, { parentId: parent?.id ?? null, beforeId: null });
      }}
      onClose={() => askForPlace(null)}
    />
  );
}

/** Its row, or where it is opened its heading's menu. */
function anchorOf(id: string): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>(`[data-folder="${id}"]`) ?? document.querySelector<HTMLElement>(`[data-opened-folder="${id}"]`)
  );
}
