import { useEffect } from "react";
import { useMatch, useNavigate } from "react-router";
import { outbox } from "#web/features/conversation/sending/outbox.ts";
import type { ChatAnswer } from "#web/features/conversation/messages/use-chat.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { applyLiveEvent } from "./apply-live-event.ts";

/** Keeps the chats that this tab holds right, on every page of it, and leaves the shown one once it is gone. */
export function useLiveChats(): void {
  const chatId = useMatch("/c/:chatId")?.params.chatId ?? null;
  const navigate = useNavigate();
  useEffect(
    () =>
      onLive((event) => {
        const isLost = event.type === "chat.deleted" && event.chat_id === chatId && isCached(chatId);
        const isOthers = isLost && queryClient.getQueryData<ChatAnswer>(keys.chat(event.chat_id))?.chat.isShared === true;
        applyLiveEvent(event, chatId);
        if (event.type !== "chat.deleted" || (!isLost && !event.why && outbox.ofChat(event.chat_id).length === 0)) return;
        const { chat_id: lostId, why, title } = event;
        void import("#web/features/conversation/sending/lost-chat.ts").then(({ notifyChatLost }) =>
          notifyChatLost({ chatId: lostId, isShown: isLost, isOthers, ...(why && { deletedTitle: title }) }),
        );
        if (isLost) void navigate("/", { replace: true });
      }),
    [chatId, navigate],
  );
}

/** Where it was not there to be read, its page says so already. */
function isCached(chatId: string): boolean {
  return queryClient.getQueryData(keys.chat(chatId)) !== undefined;
}
