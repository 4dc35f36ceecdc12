import { useState, useSyncExternalStore, useRef } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import { type List, cachedChats } from "#web/features/conversation/chat-cache/cached-lists.ts";
import type { FilingWhat } from "#web/features/conversation/list-state/row-actions.ts";
import { isInWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { makeFolder, workspaceToFileIn } from "./change-folders.ts";
import { moveList, tagList } from "./file-list.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { moveChats } from "./move-chats.ts";
import { setTag } from "#web/features/conversation/tags/change-tags.ts";
import { TagPicker, type TagPickerProps } from "#web/features/conversation/tags/tag-picker.tsx";
import type { TagsDialogProps } from "#web/features/conversation/tags/tags-dialog.tsx";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";
import { queryClient } from "#web/lib/query.ts";

const TagsDialog = lazyPart<TagsDialogProps>(async () => (await import("#web/features/conversation/tags/tags-dialog.tsx")).TagsDialog);

export type FilingPickerProps = {
  what: FilingWhat;
  chats: readonly Chat[];
  /** The list whose chats, loaded or not, are all meant; the given ones are what is loaded of it. */
  list?: List | null;
  anchor: HTMLElement;
  /** A folder was chosen. */
  onFiled: () => void;
  onClose: () => void;
};

/** Asks for the folder or the tags of chats. */
export function FilingPicker({ what, chats: given, list = null, anchor, onFiled, onClose }: FilingPickerProps) {
  const { folders, tags } = useFolders();
  const chats = useCachedChats(given);
  const [isManaging, setManaging] = useState(false);
  if (isManaging) return <TagsDialog open onOpenChange={onClose} />;
  if (what === "tags") {
    const onTag: TagPickerProps["onTag"] = (tag, isOn) => void (list ? tagList(list, tag, isOn) : setTag(chats, tag, isOn));
    return <TagPicker anchor={anchor} chats={chats} tags={tags} onTag={onTag} onManage={() => setManaging(true)} onClose={onClose} />;
  }
  const fitting = folders.filter(({ workspace }) => chats.every((chat) => isInWorkspace(workspace, chat)));
  const [first] = chats;
  const isOne = first !== undefined && chats.every(({ folder_id: folder }) => folder === first.folder_id);
  const move = (to: Parameters<typeof moveChats>[1]) => void (list ? moveList(list, to) : moveChats(chats, to));
  const file = (to: Parameters<typeof moveChats>[1]) => {
    onFiled();
    move(to);
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
        void makeFolder({ name, parentId: null, workspace: workspaceOf(chats) }).then((made) => made && move(made));
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

/** Chats as the lists hold them now; one that no list holds as it was given. */
function useCachedChats(given: readonly Chat[]): readonly Chat[] {
  const last = useRef(given);
  return useSyncExternalStore(subscribe, () => {
    const cached = cachedChats(given.map(({ id }) => id));
    const now = given.map((chat, index) => cached[index] ?? chat);
    const isSame = now.length === last.current.length && now.every((chat, index) => chat === last.current[index]);
    if (!isSame) last.current = now;
    return last.current;
  });
}

function subscribe(listener: () => void): () => void {
  return queryClient.getQueryCache().subscribe(listener);
}
