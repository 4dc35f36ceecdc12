import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { listBalances } from "#shared/contracts/account/admin.ts";
import { getOverview, getSpend, listJobKinds } from "#shared/contracts/account/operation.ts";
import { call } from "#web/lib/api.ts";
import { watched } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";

type Page<Row> = { rows: Row[]; nextCursor: string | null };
type Read<Row> = (query: { cursor?: string }, signal: AbortSignal) => Promise<Page<Row>>;

/** A list that the database pages. */
export type Pages<Row> = {
  rows: Row[];
  isPending: boolean;
  /** True while what stands here answers an earlier search. */
  isBehind: boolean;
  error: Error | null;
  /** True while it is a further page that could not be read. */
  isMoreLost: boolean;
  isRetrying: boolean;
  /** Asks again for what could not be read. */
  retry: () => void;
  hasMore: boolean;
  isReading: boolean;
  readMore: () => void;
};

/** Reads a list page by page; `name` distinguishes it from the others. */
export function usePages<Row>(name: readonly string[], read: Read<Row>): Pages<Row> {
  const query = useInfiniteQuery({
    queryKey: [...keys.admin, ...name],
    queryFn: ({ pageParam, signal }) => read(pageParam === "" ? {} : { cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (page: Page<Row>) => page.nextCursor,
    placeholderData: keepPreviousData,
    ...watched,
  });
  return {
    rows: query.data?.pages.flatMap(({ rows }) => rows) ?? [],
    isPending: query.isPending,
    isBehind: query.isPlaceholderData,
    error: query.error,
    isMoreLost: query.isFetchNextPageError,
    isRetrying: query.isFetching,
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
    hasMore: query.hasNextPage && !query.isPlaceholderData,
    isReading: query.isFetchingNextPage,
    readMore: () => void query.fetchNextPage(),
  };
}

/** What an administrator sees first. */
export function useOverview() {
  return useQuery({
    queryKey: [...keys.admin, "overview"],
    queryFn: ({ signal }) => call(getOverview, {}, { signal }),
    ...watched,
  });
}

/** What everybody spent in a month, this one where none is named. */
export function useSpend(month?: string) {
  return useQuery({
    queryKey: [...keys.admin, "spend", month ?? ""],
    queryFn: ({ signal }) => call(getSpend, { query: month === undefined ? {} : { month } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** How the kinds of jobs fare. */
export function useJobKinds() {
  return useQuery({
    queryKey: [...keys.admin, "queues"],
    queryFn: ({ signal }) => call(listJobKinds, {}, { signal }),
    ...watched,
  });
}

/** What some people have left, and spent this month, by their ids: asked of each one's ledger, so they come after the list. */
export function useBalances(ids: string[]): Map<string, { credits: number | null; spent: number }> {
  const named = ids.join(",");
  const { data } = useQuery({
    queryKey: [...keys.admin, "balances", named],
    queryFn: ({ signal }) => call(listBalances, { query: { ids: named } }, { signal }),
    staleTime: 0,
    enabled: ids.length > 0,
  });
  return new Map(data?.balances.map(({ id, ...balance }) => [id, balance]) ?? []);
}

/** An action: all that is shown is asked for again, as each action is an entry of the audit log too. */
export function useAdminAction<Input>(
  run: (input: Input) => Promise<unknown>,
  messages: { done: (input: Input) => string; failed: string },
) {
  return useMutation({
    mutationFn: run,
    onSuccess: (_, input) => {
      toast({ title: messages.done(input), tone: "success" });
      void queryClient.invalidateQueries({ queryKey: keys.admin });
    },
    onError: (error: Error) => toast({ title: messages.failed, description: error.message, tone: "danger" }),
  });
}
