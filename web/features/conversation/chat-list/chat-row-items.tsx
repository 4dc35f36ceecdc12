import { Archive, ArchiveRestore, ExternalLink, FolderInput, Pencil, SquareCheck, Tag, Trash2 } from "lucide-react";
import type { Chat } from "#shared/entities/chat.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { hotkeyText } from "#web/lib/hotkeys.ts";
import { MenuItem, MenuSeparator } from "#web/ui/menu/menu.tsx";
import { LIST_KEYS } from "#web/features/conversation/list-state/list-keys.ts";
import { MarkItems } from "./mark-items.tsx";
import type { RowActions } from "#web/features/conversation/list-state/row-actions.ts";

/** The entries of a row's menu, with the keys that do the same while the list has the focus. */
export default function ChatRowItems({ chat, actions }: { chat: Chat; actions: RowActions }) {
  const { isGuest } = useSession();
  return (
    <>
      {chat.permissionLevel !== "viewer" && (
        <MenuItem icon={Pencil} shortcut={hotkeyText("renameChat")} onClick={() => actions.rename(chat.id)}>
          Rename
        </MenuItem>
      )}
      <MarkItems chat={chat} keys={{ pin: LIST_KEYS.pin.keys, unread: LIST_KEYS.unread.keys }} />
      <MenuItem icon={chat.archived ? ArchiveRestore : Archive} shortcut={LIST_KEYS.archive.keys} onClick={() => actions.archive(chat)}>
        {chat.archived ? "Unarchive" : "Archive"}
      </MenuItem>
      {!isGuest && (
        <>
          <MenuItem icon={FolderInput} shortcut={LIST_KEYS.move.keys} onClick={() => actions.file(chat, "folder")}>
            Move to folder…
          </MenuItem>
          <MenuItem icon={Tag} shortcut={LIST_KEYS.tag.keys} onClick={() => actions.file(chat, "tags")}>
            Tags…
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem icon={SquareCheck} shortcut={LIST_KEYS.select.keys} onClick={() => actions.toggle(chat.id, false)}>
        Select
      </MenuItem>
      <MenuItem icon={ExternalLink} onClick={() => window.open(`/c/${chat.id}`, "_blank", "noopener")}>
        Open in new tab
      </MenuItem>
      {chat.permissionLevel === "owner" && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} danger onClick={() => actions.remove(chat)}>
            Delete
          </MenuItem>
        </>
      )}
    </>
  );
}
