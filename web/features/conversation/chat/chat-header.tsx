import { Pencil } from "lucide-react";
import { useState } from "react";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { cachedChat } from "#web/features/conversation/chat-cache/cached-lists.ts";
import type { MailChipProps } from "#web/features/mail/mails/mail-chip.tsx";
import { ChatPaneHeader } from "#web/features/conversation/sidebar/pane-ends.tsx";
import { usePageTitle } from "#web/lib/page-title.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { ChatTitle } from "./chat-title.tsx";
import ForkOrigin from "#web/features/conversation/fork/fork-origin.tsx";

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
