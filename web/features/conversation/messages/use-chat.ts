import { queryOptions, useQuery } from "@tanstack/react-query";
import { getChat } from "#shared/contracts/chat/chats.ts";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { isHearing, seenCursor } from "#web/lib/live.ts";
import { keys } from "#web/lib/query.ts";

/** How often a read that live news overtook is repeated. */
const READ_TRIES = 3;

/** The answer to asking for a chat, as it is cached. */
export type ChatAnswer = { chat: ChatDetails };

/** What live events keep right stays fresh as long as they come. */
export const liveStaleTime = () => (isHearing() ? lifetimes.live : lifetimes.short);

/** How a chat is asked for and cached. */
export function chatQuery(chatId: string) {
  return queryOptions<ChatAnswer>({
    queryKey: keys.chat(chatId),
    queryFn: ({ signal }) => readCurrent(() => call(getChat, { params: { id: chatId } }, { signal })),
    staleTime: liveStaleTime,
  });
}

/** An answer no older than the events this tab has seen: one read before them would undo them, e.g. a title, and pass for a current one. */
export async function readCurrent<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const before = seenCursor();
    const answer = await read();
    if (seenCursor() === before || tries === READ_TRIES) return answer;
  }
}

/** One chat: its title, rights and model. Kept current by live events. */
export function useChat(chatId: string | null, enabled: boolean) {
  return useQuery({ ...chatQuery(chatId ?? "none"), enabled: enabled && chatId !== null });
}
