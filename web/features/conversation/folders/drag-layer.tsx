import { FolderMinus } from "lucide-react";
import { type RefObject, useState } from "react";
import { createPortal } from "react-dom";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { cx } from "#web/ui/cx.ts";
import { type Drag, type Dragged, useDrag } from "./drag-state.ts";
import { FolderTreeView } from "./folder-tree-view.tsx";

type DragLayerProps = {
  folders: readonly Folder[];
  scroller: RefObject<HTMLDivElement | null>;
  /** True where the whole tree stands in the list. */
  isFullTreeShown: boolean;
  inDrawer: boolean;
};

/** What a drag shows: what is dragged at the pointer, and all folders over the list where those in it are out of sight. */
export function DragLayer({ folders, scroller, isFullTreeShown, inDrawer }: DragLayerProps) {
  const drag = useDrag();
  const [isPanel, setPanel] = useState<boolean | null>(null);
  if (drag === null) {
    if (isPanel !== null) setPanel(null);
    return null;
  }
  if (isPanel === null && scroller.current) setPanel(drag.dragged.kind === "chats" && (!isFullTreeShown || isOutOfSight(scroller.current)));
  return createPortal(
    <>
      {isPanel && <DropPanel drag={drag} folders={folders} box={scroller.current?.getBoundingClientRect()} inDrawer={inDrawer} />}
      <div
        aria-hidden
        style={{ left: drag.x + 12, top: drag.y + 8 }}
        className="pointer-events-none fixed z-50 max-w-240 truncate rounded-8 border border-line bg-pop px-10 py-6 text-13 text-ink shadow-overlay"
      >
        {draggedLabel(drag.dragged)}
      </div>
    </>,
    document.body,
  );
}

function isOutOfSight(scroller: HTMLElement): boolean {
  const tree = scroller.querySelector("[data-folder-tree]")?.getBoundingClientRect();
  const box = scroller.getBoundingClientRect();
  return !tree || tree.height === 0 || tree.bottom < box.top + 36 || tree.top > box.bottom;
}

function draggedLabel(dragged: Dragged): string {
  if (dragged.kind === "folder") return dragged.folder.name;
  const [only] = dragged.chats;
  return dragged.chats.length === 1 && only ? only.title || "New Chat" : chatCountLabel(dragged.chats.length);
}

type DropPanelProps = { drag: Drag; folders: readonly Folder[]; box: DOMRect | undefined; inDrawer: boolean };

/** All folders over the top of the list, and the way out of them; there as long as chats are dragged. */
function DropPanel({ drag, folders, box, inDrawer }: DropPanelProps) {
  if (!box) return null;
  const isFiled = drag.dragged.kind === "chats" && drag.dragged.chats.some(({ folder_id: folder }) => folder !== null);
  return (
    <div
      aria-hidden
      data-drag-scroll
      style={{ left: box.left, top: box.top, width: box.width, maxHeight: box.height * 0.6 }}
      className="pointer-events-auto fixed z-40 overflow-y-auto border-b border-line bg-s1 py-4 shadow-overlay"
    >
      {isFiled && (
        <div
          data-drop-out
          className={cx(
            "mx-12 flex h-36 items-center rounded-8 pl-20 text-14",
            drag.over?.place === "out" ? "bg-accent-soft text-accent-soft-ink" : "text-ink",
          )}
        >
          <FolderMinus className="mr-8 size-16 text-ink2" />
          No folder
        </div>
      )}
      <FolderTreeView folders={folders} root={null} inDrawer={inDrawer} isLive={false} />
    </div>
  );
}
