import { skipToken, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { getChat } from "#shared/contracts/chat/chats.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { readQueue } from "#shared/contracts/chat/queue.ts";
import type { MessageQueue } from "#shared/entities/queued-message.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

const EMPTY: MessageQueue = { items: [], paused: null };

/** What waits its turn in a chat, kept current by the news of all tabs; nothing for a chat that is not there yet. */
export function useQueue(chatId: string): MessageQueue {
  const { data: chat } = useQuery<ResponseOf<typeof getChat>>({ queryKey: keys.chat(chatId), queryFn: skipToken });
  useEffect(
    () =>
      onLive((event) => {
        const concernsQueue = (event.type === "queue.changed" && event.chat_id === chatId) || event.type === "hello";
        if (concernsQueue) void queryClient.invalidateQueries({ queryKey: keys.queue(chatId) });
      }),
    [chatId],
  );
  const { data = EMPTY } = useQuery({
    queryKey: keys.queue(chatId),
    queryFn: ({ signal }) => call(readQueue, { params: { id: chatId } }, { signal }),
    enabled: chat !== undefined,
    staleTime: 0,
  });
  return data;
}
