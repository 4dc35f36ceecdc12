import { CircleDot, MailOpen, Pin, PinOff } from "lucide-react";
import type { Chat } from "#shared/entities/chat.ts";
import { MenuItem } from "#web/ui/menu/menu.tsx";
import { markChat } from "#web/features/conversation/chat-cache/mark-chat.ts";

type MarkItemsProps = {
  chat: Chat;
  /** The keys that do the same, where they work. */
  keys?: { pin: string; unread: string };
};

/** A menu's entries for the person's own marks on a chat. */
export function MarkItems({ chat, keys }: MarkItemsProps) {
  return (
    <>
      <MenuItem icon={chat.isPinned ? PinOff : Pin} shortcut={keys?.pin} onClick={() => void markChat(chat, { isPinned: !chat.isPinned })}>
        {chat.isPinned ? "Unpin" : "Pin"}
      </MenuItem>
      <MenuItem
        icon={chat.isRead ? CircleDot : MailOpen}
        shortcut={keys?.unread}
        onClick={() => void markChat(chat, { isRead: !chat.isRead })}
      >
        {chat.isRead ? "Mark unread" : "Mark read"}
      </MenuItem>
    </>
  );
}
