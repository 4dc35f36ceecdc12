import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { updateChat } from "#shared/contracts/chats.ts";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { CHAT_TITLE_LENGTH } from "#shared/limits.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast.tsx";
import type { ChatAnswer } from "./use-chat.ts";

type ChatTitleProps = { chat: ChatDetails | null; isEditing: boolean; onEdited: () => void };

/** A chat's name as the pane's heading, or the field that changes it. */
export function ChatTitle({ chat, isEditing, onEdited }: ChatTitleProps) {
  const title = chat?.title || "New Chat";
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
  const isDone = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  const end = (save: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    onEdited();
    const wanted = title.trim();
    if (save && wanted !== "" && wanted !== chat.title) void rename(chat, wanted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") end(true);
    if (event.key === "Escape") end(false);
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
      className="-ml-9 h-32 w-full max-w-480 min-w-0 rounded-8 border border-line-strong bg-s2 px-8 text-14 font-semibold text-ink focus:border-line"
    />
  );
}

/** Renames at once and takes it back when the server refuses. */
async function rename(chat: ChatDetails, title: string): Promise<void> {
  put(chat.id, title);
  try {
    await call(updateChat, { params: { id: chat.id }, body: { title } });
    await queryClient.invalidateQueries({ queryKey: ["chats"] });
  } catch (error) {
    put(chat.id, chat.title);
    toast({ title: "Failed to rename chat", description: error instanceof ApiError ? error.message : "", tone: "danger" });
  }
}

function put(chatId: string, title: string): void {
  queryClient.setQueryData<ChatAnswer>(keys.chat(chatId), (held) => held && { chat: { ...held.chat, title } });
}
