import { queryOptions, useQuery } from "@tanstack/react-query";
import { getChat } from "#shared/contracts/chat/chats.ts";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { seenCursor } from "#web/lib/live.ts";
import { keys } from "#web/lib/query.ts";

/** How often a read that live news overtook is repeated. */
const READ_TRIES = 3;

/** The answer to asking for a chat, as it is cached. */
export type ChatAnswer = { chat: ChatDetails };

/** How a chat is asked for and cached. */
export function chatQuery(chatId: string) {
  return queryOptions<ChatAnswer>({
    queryKey: keys.chat(chatId),
    queryFn: ({ signal }) => readChat(chatId, signal),
    staleTime: lifetimes.live,
  });
}

/** A chat no older than the events this tab has seen: one read before them would undo them, e.g. its title. */
async function readChat(chatId: string, signal: AbortSignal): Promise<ChatAnswer> {
  for (let tries = 1; ; tries += 1) {
    const before = seenCursor();
    const answer = await call(getChat, { params: { id: chatId } }, { signal });
    if (seenCursor() === before || tries === READ_TRIES) return answer;
  }
}

/** One chat: its title, rights and model. Kept current by live events. */
export function useChat(chatId: string | null, enabled: boolean) {
  return useQuery({ ...chatQuery(chatId ?? "none"), enabled: enabled && chatId !== null });
}
