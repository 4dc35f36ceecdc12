import { InfiniteQueryObserver } from "@tanstack/react-query";
import type { Message } from "#shared/entities/message.ts";
import { queryClient } from "#web/lib/query.ts";
import { pathOf } from "./message-pages.ts";
import { messagesQuery } from "./use-messages.ts";

/** Loads older pages of the shown path until all are here, or until `isEnough`; answers what is here then, in reading order. Throws `ApiError`. */
export async function loadFullPath(chatId: string, isEnough: (path: Message[]) => boolean = () => false): Promise<Message[]> {
  const observer = new InfiniteQueryObserver(queryClient, messagesQuery(chatId));
  const end = observer.subscribe(() => undefined);
  try {
    if (!observer.getCurrentResult().data) await observer.refetch({ throwOnError: true });
    let result = observer.getCurrentResult();
    while (result.hasNextPage && !isEnough(pathOf(result.data))) result = await observer.fetchNextPage({ throwOnError: true });
    return pathOf(result.data);
  } finally {
    end();
  }
}
