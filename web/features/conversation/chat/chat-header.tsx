import { Pencil } from "lucide-react";
import { useState, type KeyboardEvent, useEffect, useRef } from "react";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { CHAT_TITLE_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { cachedChat } from "#web/features/conversation/chat-cache/cached-lists.ts";
import type { MailChipProps } from "#web/features/mail/mails/mail-chip.tsx";
import { ChatPaneHeader } from "#web/features/conversation/sidebar/pane-ends.tsx";
import { usePageTitle } from "#web/lib/page-title.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import ForkOrigin from "#web/features/conversation/fork/fork-origin.tsx";
import { useRenameChat } from "#web/features/conversation/chat-list/use-rename-chat.ts";
import { focusAfter } from "#web/ui/focus.ts";

const ChatActions = lazyPart<ChatActionsProps>(async () => (await import("./chat-actions.tsx")).default, ActionsSpace);
const MailChip = lazyPart<MailChipProps>(async () => (await import("#web/features/mail/mails/mail-chip.tsx")).default);

type ChatActionsProps = { chat: ChatDetails; onRename: (() => void) | null };

/** The bar above a chat: its title, renamed in place, and what can be done with the whole of it. */
export function ChatHeader({ chatId, chat }: { chatId: string; chat: ChatDetails | null }) {
  const [isEditing, setIsEditing] = useState(false);
  // The list knows the title before the chat itself has arrived.
  const title = (chat ?? cachedChat(chatId))?.title || "New Chat";
  usePageTitle(title);

  const canRename = chat !== null && chat.permissionLevel !== "viewer";
  const rename = () => setIsEditing(true);
  const actions =
    chat === null ? (
      <ActionsSpace />
    ) : (
      <WhenIdle before={<ActionsSpace />}>
        <ChatActions chat={chat} onRename={canRename ? rename : null} />
      </WhenIdle>
    );
  return (
    <>
      <ChatPaneHeader actions={actions}>
        <div className="group/title flex min-w-0 flex-1 items-center gap-4">
          <ChatTitle chat={chat} title={title} isEditing={isEditing} onEdited={() => setIsEditing(false)} />
          {chat !== null && chat.mail_count > 0 && <MailChip chatId={chatId} />}
          {canRename && !isEditing && (
            <IconButton
              label="Rename"
              icon={Pencil}
              size="sm"
              onClick={rename}
              className="opacity-0 transition-opacity duration-120 group-hover/title:opacity-100 focus-visible:opacity-100 touch:hidden"
            />
          )}
        </div>
      </ChatPaneHeader>
      <p aria-hidden className="hidden px-36 pb-16 font-serif text-28 print:block">
        {title}
      </p>
      {chat?.forked_from && <ForkOrigin origin={chat.forked_from} />}
    </>
  );
}

/** Keeps the room of the menu's button, so what stands before it stays in its place. */
function ActionsSpace() {
  return <span aria-hidden className="size-44 shrink-0 desk:hidden" />;
}

type ChatTitleProps = { chat: ChatDetails | null; title: string; isEditing: boolean; onEdited: () => void };

/** A chat's name as the pane's heading, or the field that changes it. */
function ChatTitle({ chat, title, isEditing, onEdited }: ChatTitleProps) {
  if (isEditing && chat) return <TitleField chat={chat} onEdited={onEdited} />;
  return (
    <h1 className="min-w-0 truncate text-14 font-semibold text-ink touch:text-16" title={title}>
      {title}
    </h1>
  );
}

/** Enter and leaving it save, Escape does not, and an empty title is not taken. */
function TitleField({ chat, onEdited }: { chat: ChatDetails; onEdited: () => void }) {
  const [title, setTitle] = useState(chat.title);
  const rename = useRenameChat();
  const isDone = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  const end = (save: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    onEdited();
    const wanted = plainName(title);
    if (save && wanted !== "" && wanted !== chat.title) rename.mutate({ id: chat.id, title: wanted, before: chat.title });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Or else Enter would press the button that gets the focus.
    event.preventDefault();
    focusAfter(() => end(event.key === "Enter"), 'main button[aria-label="Rename"]', 'main button[aria-label="Chat actions"]');
  };
  return (
    <input
      ref={field}
      aria-label="Chat title"
      value={title}
      maxLength={CHAT_TITLE_LENGTH}
      onChange={(event) => setTitle(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
      className="-ml-9 h-32 touch:ml-0 touch:h-44 w-full max-w-480 min-w-0 rounded-8 border border-line-strong bg-s2 px-8 text-14 font-semibold text-ink focus:border-line"
    />
  );
}
