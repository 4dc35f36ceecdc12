import { useQuery } from "@tanstack/react-query";
import { listPeople } from "#shared/contracts/chat/sharing.ts";
import type { ChatPerson } from "#shared/entities/share.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

const NOBODY: readonly ChatPerson[] = [];

/** Who is in a shared chat, its owner first; nobody until that is known. */
export function usePeople(chatId: string): readonly ChatPerson[] {
  const { data } = useQuery({
    queryKey: keys.people(chatId),
    queryFn: ({ signal }) => call(listPeople, { params: { id: chatId } }, { signal }),
    staleTime: lifetimes.short,
  });
  return data?.people ?? NOBODY;
}

/** Lets new names and pictures of others show in open chats; returns how to stop. */
export function followPeople(): () => void {
  return onLive(({ type }) => {
    if (type === "people.changed" || type === "user.changed") void queryClient.invalidateQueries({ queryKey: ["people"] });
  });
}
