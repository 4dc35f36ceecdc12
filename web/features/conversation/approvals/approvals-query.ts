import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import { listApprovals } from "#shared/contracts/chat/approvals.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { keepWaitingCount } from "./waiting-count.ts";

type Page = ResponseOf<typeof listApprovals>;

/** How what waits is asked for and cached: live events say when it changes. */
export const approvalsQuery = infiniteQueryOptions<Page, Error, InfiniteData<Page>, typeof keys.approvals, string | undefined>({
  queryKey: keys.approvals,
  queryFn: ({ signal, pageParam: cursor }) => call(listApprovals, { query: { cursor } }, { signal }),
  initialPageParam: undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  staleTime: lifetimes.short,
});

/** Takes a call that is decided out of what is held; the hub notifies the other tabs. */
export function removeCachedApproval(callId: string): void {
  queryClient.setQueryData(
    approvalsQuery.queryKey,
    (current) =>
      current && {
        ...current,
        pages: current.pages.map((page) => ({ ...page, approvals: page.approvals.filter(({ call: { id } }) => id !== callId) })),
      },
  );
}

/** Lets chats, other tabs and devices change what waits; returns how to stop. */
export function subscribeToApprovalEvents(): () => void {
  let isBack = false;
  return onLive((event) => {
    if (event.type === "approvals.changed") keepWaitingCount(event.count);
    // What happened while a tab was away comes as no event of its own.
    if (event.type === "approvals.changed" || (event.type === "hello" && isBack))
      void queryClient.invalidateQueries({ queryKey: keys.approvals });
    if (event.type === "hello") isBack = true;
  });
}
