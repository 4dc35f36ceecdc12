import { type InfiniteData, infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { listDecided } from "#shared/contracts/chat/approvals.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { presenterOf } from "#web/features/conversation/tools/presenters/registry.ts";
import { call } from "#web/lib/api.ts";
import { fullTime } from "#web/lib/format.ts";
import { keys } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { Link } from "#web/ui/link.tsx";
import { timeAgo, decisionLabel } from "./approval-labels.ts";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

type Page = ResponseOf<typeof listDecided>;
const decidedKey = [...keys.approvals, "decided"] as const;
const decidedQuery = infiniteQueryOptions<Page, Error, InfiniteData<Page>, typeof decidedKey, string | undefined>({
  queryKey: decidedKey,
  queryFn: ({ signal, pageParam: cursor }) => call(listDecided, { query: { cursor } }, { signal }),
  initialPageParam: undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  staleTime: 0,
});

/** What was decided before. */
export function DecidedList({ now }: { now: Date }) {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <section ref={box} aria-labelledby={id} className="mt-40">
      <h2 id={id} className="mb-8 text-14 font-medium text-ink">
        Decided
      </h2>
      <Decided now={now} />
    </section>
  );
}

function Decided({ now }: { now: Date }) {
  const list = useInfiniteQuery(decidedQuery);
  const decided = list.data?.pages.flatMap((page) => page.decided) ?? [];
  if (list.isPending) return <RowSkeletons label="Loading" rows={3} lines={1} className="h-40" />;
  if (list.isError && decided.length === 0) {
    return (
      <div role="alert" className="py-8 text-14 text-ink2">
        <p className="mb-8">{list.error.message}</p>
        <TryAgain onClick={() => void list.refetch()} />
      </div>
    );
  }
  if (decided.length === 0) return <p className="py-8 text-14 text-ink2">Nothing was decided yet.</p>;
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {decided.map(({ chat, message_id: messageId, call: made, decided_at: at }) => (
          <li key={made.id} className="flex flex-wrap items-baseline gap-x-8 py-8 text-14">
            <span className="font-medium text-ink">{decisionLabel(made.approval)}</span>
            <span className="text-ink2">{presenterOf(made.tool).name}</span>
            <span className="text-ink2">
              {"in "}
              <Link
                to={`/c/${chat.id}?message=${messageId}`}
                className="underline decoration-line-strong underline-offset-3 hover:text-ink"
              >
                {chat.title || "New Chat"}
              </Link>
            </span>
            <time dateTime={at} title={fullTime(at)} className="ml-auto text-13 text-ink3">
              {timeAgo(at, now)}
            </time>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button size="sm" className="mt-12" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
