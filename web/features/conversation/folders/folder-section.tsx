import { Archive } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { FOLDER_DEPTH } from "#shared/limits.ts";
import type { ListScope } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { SidebarNotice } from "#web/ui/sidebar-notice.tsx";
import { ListHeading } from "#web/features/conversation/list-state/list-heading.tsx";
import { moveFolder } from "./change-folders.ts";
import { DragLayer } from "./drag-layer.tsx";
import type { Dragged } from "./drag-state.ts";
import type { DropPlace } from "./drop-place.ts";
import {
  setFolderRowCount,
  noteFoldersFailure,
  setFolderOpen,
  useFoldersFailure,
  useNaming,
} from "#web/features/conversation/list-state/folder-state.ts";
import { FolderTreeView } from "./folder-tree-view.tsx";
import { ListMenu } from "./list-menu.tsx";
import { moveChats } from "./move-chats.ts";
import { OpenedFolder } from "./opened-folder.tsx";
import { OpenedTag } from "#web/features/conversation/tags/opened-tag.tsx";
import { startDragging } from "./start-dragging.ts";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { canMove } from "./folder-moves.ts";
import { askForPlace, usePlaceQuestion } from "./place-question.ts";

export type FolderSectionProps = {
  /** What the list below is narrowed to: an opened folder or a tag; undefined for the list of all chats. */
  scope: ListScope | undefined;
  inDrawer: boolean;
  /** What scrolls: the rows of chats in it can be dragged as well. */
  scroller: RefObject<HTMLDivElement | null>;
  /** The ticked chats. */
  chosen: readonly Chat[];
  /** Down from the last folder to the first chat. */
  onLeave: () => void;
};

const ARCHIVE = { icon: Archive, label: "Archived", to: "archived" } as const;

/** What stands above the chats: the folders, or the opened folder with those in it, or the tag that is filtered by. */
export default function FolderSection({ scope, inDrawer, scroller, chosen, onLeave }: FolderSectionProps) {
  const { folders, tags, isReady, query } = useFolders();
  const { error, refetch } = query;
  const failure = useFoldersFailure();
  const naming = useNaming();
  const { folder, tag } = scope ?? {};
  const dropped = useEffectEvent((dragged: Dragged, place: DropPlace | "out") => {
    if (dragged.kind === "chats") {
      const to = place !== "out" && place.kind === "into" ? folders.find(({ id }) => id === place.id) : undefined;
      if (place === "out" || to) void moveChats(dragged.chats, to ?? null);
    } else if (place !== "out") {
      const into = place.kind === "into" ? { parentId: place.id, beforeId: null } : place.place;
      if (into.parentId !== null) setFolderOpen([into.parentId], true);
      void moveFolder(dragged.folder.id, into);
    }
  });
  const along = useEffectEvent(() => chosen);
  useEffect(() => {
    const list = scroller.current;
    return list ? startDragging(list, { chosen: () => along(), onDrop: (...what) => dropped(...what) }) : undefined;
  }, [scroller]);
  const isFullTreeShown = scope === undefined;
  useEffect(() => {
    // While they are asked for again, what could not be read is still not there.
    if (isReady) noteFoldersFailure(null);
    else if (error) noteFoldersFailure(error.message);
  }, [isReady, error]);
  useEffect(() => {
    if (isReady && folders.length === 0) setFolderRowCount(0);
  }, [isReady, folders]);

  if (failure !== null) return <SidebarNotice title="Folders could not be loaded" text={failure} retry={() => void refetch()} />;
  const head =
    folder !== undefined ? (
      <OpenedFolder id={folder} folders={folders} isReady={isReady} inDrawer={inDrawer} />
    ) : tag !== undefined ? (
      <OpenedTag id={tag} tags={tags} isReady={isReady} inDrawer={inDrawer} />
    ) : (
      (folders.length > 0 || naming !== null) && (
        <ListHeading label="Folders" inDrawer={inDrawer} way={ARCHIVE} menu={<ListMenu inDrawer={inDrawer} />} />
      )
    );
  return (
    <>
      {head}
      {tag === undefined && (
        <FolderTreeView
          folders={folders}
          root={folder ?? null}
          inDrawer={inDrawer}
          onLeave={onLeave}
          {...(isFullTreeShown && isReady && { onRows: setFolderRowCount })}
        />
      )}
      <PlaceQuestion folders={folders} />
      <DragLayer folders={folders} scroller={scroller} isFullTreeShown={isFullTreeShown} inDrawer={inDrawer} />
    </>
  );
}

/** Asks which folder another one goes into, once its menu or key wants to know. */
function PlaceQuestion({ folders }: { folders: readonly Folder[] }) {
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
