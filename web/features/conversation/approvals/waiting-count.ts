import { skipToken, useQuery } from "@tanstack/react-query";
import { keys, queryClient } from "#web/lib/query.ts";

/** Takes over how many tool calls wait for this person, from the list or a live event. */
export function keepWaitingCount(count: number): void {
  queryClient.setQueryData(keys.waitingCount, count);
}

/** How many tool calls of all chats wait for this person's word. */
export function useWaitingCount(): number {
  return useQuery<number>({ queryKey: keys.waitingCount, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity }).data ?? 0;
}
