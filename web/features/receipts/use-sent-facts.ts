import { useQuery } from "@tanstack/react-query";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import type { Message } from "#shared/entities/message.ts";
import { call } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";

const NONE: readonly string[] = [];

/** The ids of the facts that went along with a question. An answer that came while this page stood does not carry them, so it is read for them. */
export function useSentFacts({ id, chat_id: chatId, memory_ids: known }: Message): readonly string[] {
  const { data } = useQuery({
    queryKey: keys.sentFacts(id),
    queryFn: async ({ signal }) => {
      const { messages } = await call(listMessages, { params: { id: chatId }, query: { around: id, limit: 2 } }, { signal });
      return messages.find((message) => message.id === id)?.memory_ids ?? NONE;
    },
    enabled: known === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return known ?? data ?? NONE;
}
