import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import type { Message } from "#shared/entities/message.ts";
import { useNotifyFailure } from "#web/features/conversation/sending/use-notify-failure.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** Makes a chat of the path up to a message, and goes there. */
export function useFork() {
  const navigate = useNavigate();
  const notifyFailure = useNotifyFailure();
  return useMutation({
    mutationFn: ({ chat_id: id, id: messageId }: Pick<Message, "chat_id" | "id">) =>
      call(forkChat, { params: { id }, body: { messageId } }),
    onSuccess: ({ chat }) => {
      queryClient.setQueryData(keys.chat(chat.id), { chat });
      void navigate(`/c/${chat.id}`);
    },
    onError: (error) => notifyFailure("Failed to fork chat", error, null),
  });
}
