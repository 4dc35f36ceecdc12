import { ChevronRight, Ellipsis, Folder as FolderIcon } from "lucide-react";
import { type KeyboardEvent, useId, useRef } from "react";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { useLongPress } from "#web/features/conversation/list-state/use-long-press.ts";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu } from "#web/ui/menu/menu.tsx";
import { INDENT_PX } from "./drop-place.ts";
import { FolderItems } from "./folder-items.tsx";
import type { TreeLine } from "./folder-tree.ts";
import { setFolderOpen } from "#web/features/conversation/list-state/folder-state.ts";

type FolderRowProps = {
  line: TreeLine<Folder>;
  /** Chats in it and, while it is closed, below it. */
  counts: { chats: number; unread: number };
  /** The team it belongs to, where several workspaces are shown. */
  team: string | null;
  isActive: boolean;
  isTarget: boolean;
  inDrawer: boolean;
  onOpen: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** A folder of the tree: its name opens it, its arrow shows the folders in it. */
export function FolderRow({ line, counts, team, isActive, isTarget, inDrawer, onOpen, onKeyDown }: FolderRowProps) {
  const { folder, level, position, siblings, hasChildren, isOpen } = line;
  const about = useId();
  const row = useRef<HTMLDivElement>(null);
  const longPress = useLongPress(() => openFolderMenu(row.current));
  return (
    <div
      ref={row}
      role="treeitem"
      aria-label={folder.name}
      aria-describedby={about}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={false}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-keyshortcuts="F2 Delete Alt+Shift+ArrowUp Alt+Shift+ArrowDown"
      tabIndex={isActive ? 0 : -1}
      data-folder={folder.id}
      onClick={onOpen}
      onKeyDown={(event) => event.target === event.currentTarget && onKeyDown(event)}
      {...longPress}
      style={{ paddingLeft: (inDrawer ? 4 : 0) + (level - 1) * INDENT_PX }}
      className={cx(
        "group/folder relative flex cursor-default items-center rounded-8 -outline-offset-2! transition-colors duration-120 select-none",
        inDrawer ? "mx-8 h-44 pr-12" : "mx-12 h-36 pr-8",
        isTarget ? "bg-accent-soft text-accent-soft-ink" : "text-ink hover:bg-s3 has-aria-expanded:bg-s3",
      )}
    >
      <span
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          if (hasChildren) setFolderOpen([folder.id], !isOpen);
          else onOpen();
        }}
        className={cx("flex h-full shrink-0 items-center justify-center text-ink3", inDrawer ? "w-28" : "w-20")}
      >
        {hasChildren && <ChevronRight className={cx("size-14 transition-transform duration-120", isOpen && "rotate-90")} />}
      </span>
      <FolderIcon aria-hidden className={cx("mr-8 shrink-0 text-ink2", inDrawer ? "size-18" : "size-16")} />
      <span className={cx("min-w-0 flex-1 truncate", inDrawer ? "text-15/20" : "text-14", counts.unread > 0 && "font-semibold")}>
        {folder.name}
      </span>
      {team !== null && <span className="ml-8 max-w-72 shrink-0 truncate text-12 text-ink3">{team}</span>}
      <span
        aria-hidden
        className="ml-8 flex shrink-0 items-center gap-6 text-12 text-ink3 tabular-nums group-hover/folder:invisible group-focus-visible/folder:invisible group-has-aria-expanded/folder:invisible touch:visible!"
      >
        {counts.unread > 0 && <span className="size-7 rounded-full bg-signal" />}
        {counts.chats > 0 && counts.chats.toLocaleString("en")}
      </span>
      <span id={about} className="sr-only">
        {chatCountLabel(counts.chats)}
        {counts.unread > 0 && `, ${counts.unread} unread`}
        {team !== null && `. ${team}`}
      </span>
      <span
        role="presentation"
        // Its presses are no presses on the row.
        onClick={(event) => event.stopPropagation()}
        className="absolute top-1/2 right-4 -translate-y-1/2 opacity-0 group-hover/folder:opacity-100 group-focus-visible/folder:opacity-100 has-aria-expanded:opacity-100 touch:pointer-events-none touch:opacity-0!"
      >
        <Menu
          label={`Actions for ${folder.name}`}
          side="right"
          align="start"
          trigger={
            <IconButton
              size="sm"
              label={`Actions for ${folder.name}`}
              icon={Ellipsis}
              tooltip={false}
              tabIndex={-1}
              className="hover:bg-s4 aria-expanded:bg-s4 touch:size-28"
            />
          }
        >
          <FolderItems folder={folder} />
        </Menu>
      </span>
    </div>
  );
}

/** Opens the menu of a folder's row, beside its button. */
export function openFolderMenu(row: Element | null): void {
  row?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
}
