import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { CHAT_TITLE_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { useRenameChat } from "#web/features/conversation/chat-row/use-rename-chat.ts";
import { focusAfter } from "#web/ui/focus-after.ts";

type ChatTitleProps = { chat: ChatDetails | null; title: string; isEditing: boolean; onEdited: () => void };

/** A chat's name as the pane's heading, or the field that changes it. */
export function ChatTitle({ chat, title, isEditing, onEdited }: ChatTitleProps) {
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
