import { useQuery } from "@tanstack/react-query";
import {
  Archive,
  ArchiveRestore,
  CircleDot,
  Ellipsis,
  ExternalLink,
  FolderInput,
  MailOpen,
  Pencil,
  Pin,
  PinOff,
  Tag,
  Trash2,
  X,
} from "lucide-react";
import type { ChatView } from "#shared/contracts/chat/chats.ts";
import { type BulkAction, countChats } from "#shared/contracts/chat/inbox.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { useWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, MenuItem } from "#web/ui/menu/menu.tsx";
import { chatCountLabel } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import type { FilingWhat } from "#web/features/conversation/list-state/row-actions.ts";
import type { ListScope } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { LIST_KEYS } from "#web/features/conversation/list-state/list-keys.ts";
import { inWorkspace } from "#web/features/conversation/chat-cache/use-chats.ts";

type BulkBarProps = {
  view: ChatView;
  scope: ListScope | undefined;
  /** The ticked rows; all loaded ones when all of the view is chosen. */
  chats: readonly Chat[];
  isAll: boolean;
  inDrawer: boolean;
  /** With how many it is done to; null where that is not known yet. */
  onBulkAction: (action: BulkAction, count: number | null) => void;
  onAll: () => void;
  onRename: (id: string) => void;
  /** Moves them to a folder or tags them; null for guests, who have neither. */
  onFile: ((what: FilingWhat) => void) | null;
  onClose: () => void;
};

/** What can be done with the ticked chats: a bar of 44 px over the list, and the way to all of them. */
export default function BulkBar({ view, scope, chats, isAll, inDrawer, onBulkAction, onAll, onRename, onFile, onClose }: BulkBarProps) {
  const workspace = useWorkspace();
  const total = useQuery({
    queryKey: ["chats-count", workspace, view, scope],
    queryFn: ({ signal }) => call(countChats, { query: { view, ...inWorkspace(workspace), ...scope } }, { signal }),
  }).data?.count;
  const count = isAll ? (total ?? chats.length) : chats.length;
  const run = (action: BulkAction) => onBulkAction(action, isAll ? (total ?? null) : count);
  const [only] = chats.length === 1 && !isAll ? chats : [];
  const wanted = actionsFor(view, chats);
  const size = cx("text-accent-soft-ink! hover:bg-s2/50", inDrawer && "w-36!");
  return (
    <div
      className={cx(
        "relative z-1 shrink-0 after:pointer-events-none after:absolute after:inset-x-0 after:top-full after:h-12 after:bg-linear-to-b after:to-transparent",
        inDrawer ? "px-8 after:from-s2" : "px-12 after:from-s1",
      )}
    >
      <div
        role="toolbar"
        aria-label="Selected chats"
        className="mt-8 flex h-44 items-center rounded-8 bg-accent-soft px-4 text-accent-soft-ink"
      >
        <IconButton size="sm" label="End selecting" icon={X} tooltip="Done" className={size} onClick={onClose} />
        <output className="mr-auto ml-4 truncate text-13 font-medium tabular-nums">
          {count.toLocaleString("en")}
          <span className={count < 1_000 ? undefined : "sr-only"}> selected</span>
        </output>
        {wanted.map(({ action, label, icon }) => (
          <IconButton key={action} size="sm" label={label} icon={icon} className={size} onClick={() => run(action)} />
        ))}
        {!inDrawer && <span aria-hidden className="mx-4 h-16 w-1 bg-accent-soft-ink/25" />}
        <IconButton
          size="sm"
          label="Delete"
          icon={Trash2}
          className={cx("text-danger! hover:bg-s2/50", inDrawer && "w-36!")}
          onClick={() => run("delete")}
        />
        <Menu trigger={<IconButton size="sm" label="More actions" icon={Ellipsis} className={size} />}>
          {onFile && (
            <>
              <MenuItem icon={FolderInput} shortcut={LIST_KEYS.move.keys} onClick={() => onFile("folder")}>
                Move to folder…
              </MenuItem>
              <MenuItem icon={Tag} shortcut={LIST_KEYS.tag.keys} onClick={() => onFile("tags")}>
                Tags…
              </MenuItem>
            </>
          )}
          {only && only.permissionLevel !== "viewer" && (
            <MenuItem icon={Pencil} onClick={() => onRename(only.id)}>
              Rename
            </MenuItem>
          )}
          {only && (
            <MenuItem icon={ExternalLink} onClick={() => window.open(`/c/${only.id}`, "_blank", "noopener")}>
              Open in new tab
            </MenuItem>
          )}
          {MARKS.filter(({ action }) => !wanted.some((shown) => shown.action === action)).map(({ action, label, icon }) => (
            <MenuItem key={action} icon={icon} onClick={() => run(action)}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <p className="flex min-h-28 items-center justify-center text-12 text-ink2 touch:min-h-44">
        {isAll ? (
          `All ${chatCountLabel(count)} of this list are selected`
        ) : total !== undefined && total > chats.length ? (
          <button type="button" className="font-medium text-accent hover:underline touch:min-h-44" onClick={onAll}>
            Select all {chatCountLabel(total)}
          </button>
        ) : null}
      </p>
    </div>
  );
}

const MARKS = [
  { action: "read", label: "Mark read", icon: MailOpen },
  { action: "unread", label: "Mark unread", icon: CircleDot },
  { action: "pin", label: "Pin", icon: Pin },
  { action: "unpin", label: "Unpin", icon: PinOff },
] as const;

const ARCHIVE = { action: "archive", label: "Archive", icon: Archive } as const;
const UNARCHIVE = { action: "unarchive", label: "Unarchive", icon: ArchiveRestore } as const;

/** The three that make a difference: what is unread is marked read, what isn't pinned is pinned. */
function actionsFor(view: ChatView, chats: readonly Chat[]) {
  const [read, unread, pin, unpin] = MARKS;
  return [
    chats.some(({ isRead }) => !isRead) ? read : unread,
    ...(view === "archived" ? [UNARCHIVE] : [chats.some(({ isPinned }) => !isPinned) ? pin : unpin, ARCHIVE]),
  ];
}
