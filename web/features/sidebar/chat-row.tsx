import { memo, useId, useRef, useState } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import { HOVER_PREFETCH_MS } from "#shared/limits.ts";
import { prefetchChat } from "#web/features/chat/use-messages.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { cx } from "#web/ui/cx.ts";
import { Link } from "#web/ui/link.tsx";
import { ChatRowMenu } from "./chat-row-menu.tsx";
import { RenameField } from "./rename-field.tsx";
import { useLongPress } from "./use-long-press.ts";
import { useRenameChat } from "./use-rename-chat.ts";

type ChatRowProps = {
  chat: Chat;
  /** A moment of the current day: times are told from it. */
  today: Date;
  isOpen: boolean;
  inDrawer: boolean;
  onFollow: () => void;
  onDelete: (chat: Chat) => void;
};

/** A chat of the list: title and time, preview and marks, and a menu in the time's place while pointed at. */
export const ChatRow = memo(function ChatRow({ chat, today, isOpen, inDrawer, onFollow, onDelete }: ChatRowProps) {
  const [menu, setMenu] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rename = useRenameChat();
  const longPress = useLongPress(() => setMenu(true));
  const about = useId();
  const title = chat.title || "New Chat";
  const canRename = chat.permissionLevel !== "viewer";
  const preview =
    chat.lastMessageSender && chat.lastMessagePreview ? `${chat.lastMessageSender}: ${chat.lastMessagePreview}` : chat.lastMessagePreview;
  const quiet = isOpen ? "text-ink2" : "text-ink3";

  return (
    <div
      className={cx(
        "group/row relative flex rounded-8 transition-colors duration-120 select-none",
        inDrawer ? "mx-8 h-56 gap-14 px-12" : "mx-12 h-52 gap-8 px-8",
        isOpen ? "bg-s4" : "hover:bg-s3 has-aria-expanded:bg-s3",
      )}
      onPointerEnter={(event) => {
        if (event.pointerType === "mouse" && !isOpen) hover.current = setTimeout(() => prefetchChat(chat.id), HOVER_PREFETCH_MS);
      }}
      onPointerLeave={() => clearTimeout(hover.current)}
      {...longPress}
    >
      {!renaming && (
        <Link
          to={`/c/${chat.id}`}
          replace={inDrawer}
          aria-label={title}
          aria-describedby={about}
          aria-current={isOpen ? "page" : undefined}
          // The time that a press takes is the request's head start; a finger may only want to scroll.
          onPointerDown={(event) => {
            if (event.pointerType === "mouse" && event.button === 0 && !isOpen) prefetchChat(chat.id);
          }}
          onClick={onFollow}
          onKeyDown={(event) => {
            if (event.key !== "F2" || !canRename) return;
            event.preventDefault();
            setRenaming(true);
          }}
          className="absolute inset-0 rounded-8 -outline-offset-2! [-webkit-touch-callout:none]"
        />
      )}
      <span aria-hidden className={cx("flex shrink-0 items-center justify-center", inDrawer ? "w-20" : "w-16")}>
        {chat.isStreaming ? (
          <span className="thinking-dot text-accent" />
        ) : (
          !chat.isRead && <span className="size-7 rounded-full bg-signal" />
        )}
      </span>
      <div className="pointer-events-none flex min-w-0 flex-1 flex-col justify-center">
        <div className="flex items-baseline gap-8">
          {renaming ? (
            <RenameField
              focusAfterwards={`nav a[href="/c/${chat.id}"]`}
              title={chat.title}
              className="pointer-events-auto -mx-6 h-22 flex-1 px-6 text-14"
              onDone={(next) => {
                setRenaming(false);
                if (next !== null) rename.mutate({ id: chat.id, title: next, before: chat.title });
              }}
            />
          ) : (
            <span className={cx("min-w-0 flex-1 truncate text-ink", inDrawer ? "text-15/20" : "text-14", !chat.isRead && "font-semibold")}>
              {title}
            </span>
          )}
          {!renaming && (
            <time
              dateTime={chat.lastMessageAt}
              className={cx(
                "shrink-0 text-12 tabular-nums",
                quiet,
                "group-hover/row:invisible group-has-aria-expanded/row:invisible group-has-focus-visible/row:invisible touch:visible!",
              )}
            >
              {rowTime(chat.lastMessageAt, today)}
            </time>
          )}
        </div>
        <span
          className={cx(
            "truncate",
            inDrawer ? "text-13/18" : "text-12/18 group-hover/row:pr-28 group-has-aria-expanded/row:pr-28 touch:pr-0!",
            quiet,
          )}
        >
          {preview || " "}
        </span>
      </div>
      <span id={about} className="sr-only">
        {[!chat.isRead && "Unread", chat.isStreaming && "A reply is being written", fullTime(chat.lastMessageAt), preview]
          .filter(Boolean)
          .join(". ")}
      </span>
      {!renaming && (
        <ChatRowMenu
          chat={chat}
          title={title}
          inDrawer={inDrawer}
          open={menu}
          onOpenChange={setMenu}
          onRename={canRename ? () => setRenaming(true) : null}
          onDelete={onDelete}
        />
      )}
    </div>
  );
});
