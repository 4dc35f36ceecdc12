import { useState } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import { useHeldChats } from "#web/features/chat-list/use-held-chats.ts";
import type { FilingWhat } from "#web/features/chat-row/row-actions.ts";
import { isInWorkspace } from "#web/features/workspaces/workspace-store.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { makeFolder, workspaceToFileIn } from "./change-folders.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { moveChats } from "./move-chats.ts";
import { TagPicker } from "#web/features/tags/tag-picker.tsx";
import type { TagsDialogProps } from "#web/features/tags/tags-dialog.tsx";
import { useFolders } from "./use-folders.ts";

const TagsDialog = lazyPart<TagsDialogProps>(async () => (await import("#web/features/tags/tags-dialog.tsx")).TagsDialog);

export type FilingPickerProps = {
  what: FilingWhat;
  chats: readonly Chat[];
  anchor: HTMLElement;
  /** A folder was chosen. */
  onFiled: () => void;
  onClose: () => void;
};

/** Asks for the folder or the tags of chats. */
export function FilingPicker({ what, chats: given, anchor, onFiled, onClose }: FilingPickerProps) {
  const { folders, tags } = useFolders();
  const chats = useHeldChats(given);
  const [isManaging, setManaging] = useState(false);
  if (isManaging) return <TagsDialog open onOpenChange={onClose} />;
  if (what === "tags") return <TagPicker anchor={anchor} chats={chats} tags={tags} onManage={() => setManaging(true)} onClose={onClose} />;
  const fitting = folders.filter(({ workspace }) => chats.every((chat) => isInWorkspace(workspace, chat)));
  const [first] = chats;
  const isOne = first !== undefined && chats.every(({ folder_id: folder }) => folder === first.folder_id);
  const file = (to: Parameters<typeof moveChats>[1]) => {
    onFiled();
    void moveChats(chats, to);
  };
  return (
    <FolderPicker
      anchor={anchor}
      label="Move to folder"
      folders={fitting}
      selectedId={isOne ? first.folder_id : null}
      none={chats.some(({ folder_id: folder }) => folder !== null) ? "No folder" : null}
      onPick={file}
      onNew={(name) => {
        onFiled();
        void makeFolder({ name, parentId: null, workspace: workspaceOf(chats) }).then((made) => made && moveChats(chats, made));
      }}
      onClose={onClose}
    />
  );
}

/** Where a new folder for chats begins: in a workspace that they stand in. */
function workspaceOf(chats: readonly Chat[]): ReturnType<typeof workspaceToFileIn> {
  const shown = workspaceToFileIn();
  if (chats.every((chat) => isInWorkspace(shown, chat))) return shown;
  return chats[0]?.teams[0] ?? "personal";
}
