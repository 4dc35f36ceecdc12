import { memo, useId, useRef, useState } from "react";
import { Archive, Globe, type LucideIcon, Mail, Pin, Share, Users } from "lucide-react";
import type { Chat } from "#shared/entities/chat.ts";
import { HOVER_PREFETCH_MS, CHAT_TITLE_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { prefetchChat } from "#web/features/conversation/messages/use-messages.ts";
import { outbox } from "#web/features/conversation/sending/outbox.ts";
import { previewText } from "#web/features/conversation/workspaces/owner-label.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { cx } from "#web/ui/cx.ts";
import { Link } from "#web/ui/link.tsx";
import { ChatRowMenu } from "./chat-row-menu.tsx";
import type { RowActions } from "#web/features/conversation/list-state/row-actions.ts";
import { useLongPress } from "#web/features/conversation/list-state/use-long-press.ts";
import { useRenameChat } from "./use-rename-chat.ts";
import RowTags from "#web/features/conversation/tags/row-tags.tsx";
import { focusAfter, focusOnMount } from "#web/ui/focus.ts";

type ChatRowProps = {
  chat: Chat;
  /** A moment of the current day: times are relative to it. */
  today: Date;
  isOpen: boolean;
  /** The one row that Tab reaches. */
  isActive: boolean;
  isRenaming: boolean;
  /** Rows are being ticked; this one is; and so is its neighbour. */
  isChoosing: boolean;
  isTicked: boolean;
  joinsAbove: boolean;
  joinsBelow: boolean;
  /** Whose it is, where the list holds several people's. */
  owner: string | null;
  inDrawer: boolean;
  actions: RowActions;
};

const leadClass = "flex items-center justify-center";

/** A chat of the list: title and time, preview and marks, and a menu in the time's place while pointed at. */
export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const { chat, today, isOpen, isActive, isRenaming, isChoosing, owner, isTicked, joinsAbove, joinsBelow, inDrawer, actions } = props;
  const [menu, setMenu] = useState(false);
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined);
  const longPress = useLongPress(() => actions.toggle(chat.id, false));
  const about = useId();
  const title = chat.title || "New Chat";
  const preview = previewText(chat, owner);
  const quiet = isOpen || isTicked ? "text-ink2" : "text-ink3";
  const tabIndex = isActive ? 0 : -1;

  return (
    <div
      className={cx(
        "group/row relative flex transition-colors duration-120 select-none",
        inDrawer ? "mx-8 h-56 gap-14 px-12" : "mx-12 h-52 gap-8 px-8",
        isOpen ? "bg-s4" : isTicked ? "bg-s3" : "hover:bg-s3 has-aria-expanded:bg-s3",
        joinsAbove ? "rounded-t-none" : "rounded-t-8",
        joinsBelow ? "rounded-b-none" : "rounded-b-8",
      )}
      onPointerEnter={(event) => {
        if (event.pointerType === "mouse" && !isOpen) hover.current = setTimeout(() => prefetch(chat.id), HOVER_PREFETCH_MS);
      }}
      onPointerLeave={() => clearTimeout(hover.current)}
      {...longPress}
    >
      {!isRenaming && (
        <Link
          to={`/c/${chat.id}`}
          replace={inDrawer}
          data-row={chat.id}
          tabIndex={tabIndex}
          aria-label={title}
          aria-describedby={about}
          aria-current={isOpen ? "page" : undefined}
          // The time that a press takes is the request's head start; a finger may only want to scroll.
          onPointerDown={(event) => {
            if (event.pointerType === "mouse" && event.button === 0 && !event.shiftKey && !isOpen) prefetch(chat.id);
          }}
          onClick={(event) => {
            // Shift ticks up to here; while ticking, a finger ticks.
            if (event.shiftKey || (isChoosing && (inDrawer || isFinger(event.nativeEvent)))) {
              event.preventDefault();
              actions.toggle(chat.id, event.shiftKey);
            } else if (!event.metaKey && !event.ctrlKey) actions.follow();
          }}
          className="absolute inset-0 rounded-8 -outline-offset-2! [-webkit-touch-callout:none]"
        />
      )}
      <LeadColumn
        chat={chat}
        label={`Select ${title}`}
        tabIndex={tabIndex}
        isChoosing={isChoosing}
        isTicked={isTicked}
        inDrawer={inDrawer}
        onToggle={(isRange) => actions.toggle(chat.id, isRange)}
      />
      <div className="pointer-events-none flex min-w-0 flex-1 flex-col justify-center">
        <div className="flex items-baseline gap-8">
          {isRenaming ? (
            <TitleField chat={chat} onDone={() => actions.rename(null)} />
          ) : (
            <span
              className={cx(
                "min-w-0 flex-1 truncate",
                inDrawer ? "text-15/20" : "text-14",
                chat.isRead ? (chat.archived ? "text-ink2" : "text-ink") : "font-semibold text-ink",
              )}
            >
              {title}
            </span>
          )}
          {!isRenaming && (
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
            "flex items-center gap-8 group-hover/row:pr-28 group-has-aria-expanded/row:pr-28 group-has-focus-visible/row:pr-28 touch:pr-0!",
            isRenaming && "touch:hidden",
            inDrawer ? "text-13/18" : "text-12/18",
            quiet,
          )}
        >
          <span className="min-w-0 flex-1 truncate">
            {owner !== null && <span className="mr-8 font-medium text-ink2">{owner}</span>}
            {preview || "\u00a0"}
          </span>
          {chat.tags.length > 0 && <RowTags ids={chat.tags} />}
          <ChatMarks chat={chat} isChoosing={isChoosing} />
        </span>
      </div>
      <span id={about} className="sr-only">
        {descriptionOf(chat, owner, preview)}
      </span>
      {!isRenaming && <ChatRowMenu chat={chat} title={title} tabIndex={tabIndex} open={menu} onOpenChange={setMenu} actions={actions} />}
    </div>
  );
});

type LeadColumnProps = Pick<ChatRowProps, "chat" | "isChoosing" | "isTicked" | "inDrawer"> & {
  label: string;
  tabIndex: number;
  /** With Shift, all from the row that was ticked last. */
  onToggle: (isRange: boolean) => void;
};

/** The chat's mark, with the box that ticks it in its place while rows are chosen or it is pointed at. */
function LeadColumn({ chat, label, tabIndex, isChoosing, isTicked, inDrawer, onToggle }: LeadColumnProps) {
  return (
    <span
      role="presentation"
      className={cx("group/lead relative shrink-0", inDrawer ? "w-20" : "w-16 pt-7 before:absolute before:-inset-x-8 before:inset-y-0")}
      // Here and not by the box's change, which knows nothing of Shift: the whole column ticks.
      onClick={(event) => (isChoosing || !inDrawer) && onToggle(event.shiftKey)}
    >
      {!isChoosing && (
        <span className={cx(leadClass, inDrawer ? "h-full" : "h-20 group-hover/lead:invisible group-has-focus-visible/lead:invisible")}>
          <LeadMark chat={chat} />
        </span>
      )}
      {(isChoosing || !inDrawer) && (
        <span
          className={cx(
            leadClass,
            "absolute -inset-x-8",
            inDrawer ? "inset-y-0" : "top-7 h-20",
            isChoosing ? "opacity-100" : "opacity-0 group-hover/lead:opacity-100 has-focus-visible:opacity-100 touch:hidden",
          )}
        >
          <Checkbox aria-label={label} tabIndex={tabIndex} checked={isTicked} readOnly />
        </span>
      )}
    </span>
  );
}

/** What a screen reader says of a chat besides its title. */
function descriptionOf(chat: Chat, owner: string | null, preview: string): string {
  return [
    !chat.isRead && "Unread",
    chat.isPinned && "Pinned",
    chat.isStreaming && "A reply is being written",
    ...marksOf(chat).map(({ words }) => words),
    fullTime(chat.lastMessageAt),
    owner,
    preview,
  ]
    .filter(Boolean)
    .join(". ");
}

/** The title being edited: apart, as a row that is scrolled past needs nothing of what saves it. */
function TitleField({ chat: { id, title: before }, onDone }: { chat: Chat; onDone: () => void }) {
  const rename = useRenameChat();
  return (
    <RenameField
      focusAfterwards={`nav a[href="/c/${id}"]`}
      title={before}
      className="pointer-events-auto -mx-6 h-22 flex-1 px-6 text-14 touch:h-44"
      onDone={(title) => {
        if (title !== null) rename.mutate({ id, title, before });
        onDone();
      }}
    />
  );
}

function isFinger(event: Event): boolean {
  return event instanceof PointerEvent && event.pointerType === "touch";
}

/** Fetches a chat that is about to be opened, unless the server knows nothing of it yet. */
function prefetch(chatId: string): void {
  if (!outbox.ofChat(chatId).some(({ isFirst }) => isFirst)) prefetchChat(chatId);
}

/** What a row says of a chat besides its words: as icons, and in words for those who cannot see them. */
function marksOf(chat: Chat): { icon: LucideIcon; words: string }[] {
  return [
    ...(chat.isShared ? [{ icon: Users, words: `Shared with you by ${chat.sharedByName ?? "somebody"}` }] : []),
    ...(chat.hasBeenShared ? [{ icon: Share, words: "Shared by you" }] : []),
    ...(chat.public ? [{ icon: Globe, words: "Published" }] : []),
    ...(chat.hasMails ? [{ icon: Mail, words: "Has emails" }] : []),
    ...(chat.archived ? [{ icon: Archive, words: "Archived" }] : []),
  ];
}

type ChatMarksProps = { chat: Chat; isChoosing: boolean };

/** The marks on a row's second line; while rows are being ticked also those whose place the checkbox takes. */
function ChatMarks({ chat, isChoosing }: ChatMarksProps) {
  return (
    <span className="flex shrink-0 items-center gap-6 empty:hidden">
      {marksOf(chat).map(({ icon: Icon, words }) => (
        <span key={words} title={words} className="pointer-events-auto">
          <Icon aria-hidden className="size-14" />
        </span>
      ))}
      {isChoosing && chat.isPinned && <Pin aria-hidden className="size-14" />}
      {isChoosing && <Dot chat={chat} />}
    </span>
  );
}

/** A reply being written, something unread, or a pin, in the row's first column. */
function LeadMark({ chat }: { chat: Chat }) {
  return chat.isPinned && chat.isRead && !chat.isStreaming ? <Pin aria-hidden className="size-14 text-ink3" /> : <Dot chat={chat} />;
}

function Dot({ chat }: { chat: Chat }) {
  if (chat.isStreaming) return <span className="thinking-dot text-accent" />;
  return chat.isRead ? null : <span className="size-7 shrink-0 rounded-full bg-signal" />;
}

type RenameFieldProps = {
  title: string;
  /** Called once, with the new title, or with null when nothing is to change. */
  onDone: (title: string | null) => void;
  /** A selector of what stands in its place afterwards and takes the focus. */
  focusAfterwards: string;
  className?: string;
};

/** A title being edited in place: Enter and leaving it save, Escape cancels, an empty title is not taken. */
function RenameField({ title, onDone, focusAfterwards, className }: RenameFieldProps) {
  const done = useRef(false);
  const finish = (next: string | null) => {
    if (done.current) return;
    done.current = true;
    const plain = plainName(next ?? "");
    onDone(plain === "" || plain === title ? null : plain);
  };
  return (
    <input
      aria-label="Chat title"
      defaultValue={title}
      maxLength={CHAT_TITLE_LENGTH}
      ref={focusOnMount}
      autoComplete="off"
      onFocus={(event) => event.target.select()}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        const { value } = event.currentTarget;
        focusAfter(() => finish(event.key === "Enter" ? value : null), focusAfterwards);
      }}
      className={cx("min-w-0 rounded-6 bg-s2 text-ink", className)}
    />
  );
}
