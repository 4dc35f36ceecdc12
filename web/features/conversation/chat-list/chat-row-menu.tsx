import { Ellipsis } from "lucide-react";
import type { Chat } from "#shared/entities/chat.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Menu } from "#web/ui/menu/menu.tsx";
import type { RowActions } from "#web/features/conversation/list-state/row-actions.ts";

/** Loaded ahead by the list. */
export const ChatRowItems = lazyPart(async () => (await import("./chat-row-items.tsx")).default);

type ChatRowMenuProps = {
  chat: Chat;
  title: string;
  tabIndex: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  actions: RowActions;
};

/** What can be done with a row: shown while it is pointed at or focused; a finger holds the row, which ticks it, instead. */
export function ChatRowMenu({ chat, title, tabIndex, open, onOpenChange, actions }: ChatRowMenuProps) {
  const label = `Actions for ${title}`;
  return (
    <span
      className={cx(
        "absolute top-1/2 right-4 -translate-y-1/2 opacity-0 group-hover/row:opacity-100 group-has-focus-visible/row:opacity-100 has-aria-expanded:opacity-100",
        "touch:pointer-events-none touch:opacity-0!",
      )}
    >
      <Menu
        open={open}
        onOpenChange={onOpenChange}
        label={label}
        side="right"
        align="start"
        trigger={
          <IconButton
            size="sm"
            label={label}
            icon={Ellipsis}
            tooltip={false}
            tabIndex={tabIndex}
            className="hover:bg-s4 aria-expanded:bg-s4 touch:size-28"
          />
        }
      >
        <ChatRowItems chat={chat} actions={actions} />
      </Menu>
    </span>
  );
}
