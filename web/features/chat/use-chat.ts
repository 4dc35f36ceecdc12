import { queryOptions, useQuery } from "@tanstack/react-query";
import { getChat } from "#shared/contracts/chats.ts";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

/** The answer to asking for a chat, as it is cached. */
export type ChatAnswer = { chat: ChatDetails };

/** How a chat is asked for and cached. */
export function chatQuery(chatId: string) {
  return queryOptions<ChatAnswer>({
    queryKey: keys.chat(chatId),
    queryFn: ({ signal }) => call(getChat, { params: { id: chatId } }, { signal }),
    staleTime: lifetimes.live,
  });
}

/** One chat: its title, rights and model. Kept current by live events. */
export function useChat(chatId: string | null, enabled: boolean) {
  return useQuery({ ...chatQuery(chatId ?? "none"), enabled: enabled && chatId !== null });
}
