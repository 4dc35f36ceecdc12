import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import type { Chat } from "#shared/entities/chat.ts";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "#web/ui/menu.tsx";

type ChatRowMenuProps = {
  chat: Chat;
  title: string;
  inDrawer: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Null where the person may not. */
  onRename: (() => void) | null;
  onDelete: (chat: Chat) => void;
};

/** What can be done with a row: shown while it is pointed at or focused; a finger holds the row instead. */
export function ChatRowMenu({ chat, title, inDrawer, open, onOpenChange, onRename, onDelete }: ChatRowMenuProps) {
  const label = `Actions for ${title}`;
  return (
    <span
      className={cx(
        "absolute top-1/2 right-4 -translate-y-1/2 opacity-0 group-hover/row:opacity-100 focus-within:opacity-100 has-aria-expanded:opacity-100",
        "touch:pointer-events-none touch:opacity-0!",
      )}
    >
      <Menu
        open={open}
        onOpenChange={onOpenChange}
        label={label}
        side={inDrawer ? "bottom" : "right"}
        align={inDrawer ? "end" : "start"}
        trigger={
          <IconButton size="sm" label={label} icon={Ellipsis} tooltip={false} className="hover:bg-s4 aria-expanded:bg-s4 touch:size-28" />
        }
      >
        {onRename && (
          <MenuItem icon={Pencil} shortcut={hotkeyText("renameChat")} onClick={onRename}>
            Rename
          </MenuItem>
        )}
        {chat.permissionLevel === "owner" && (
          <>
            {onRename && <MenuSeparator />}
            <MenuItem icon={Trash2} danger onClick={() => onDelete(chat)}>
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
    </span>
  );
}
