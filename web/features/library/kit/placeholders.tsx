import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";

type Query = { isError: boolean; isFetching: boolean; refetch: () => unknown };

type ListPlaceholderProps = { query: Query; loading: string; failed: string; rowClass: string };

/** A list that is not there yet, or did not come. */
export function ListPlaceholder({ query, loading, failed, rowClass }: ListPlaceholderProps) {
  if (!query.isError || query.isFetching) return <RowSkeletons label={loading} className={cx(rowClass, "px-24")} />;
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-4 px-24 py-8 text-13 text-ink2">
      <output>{failed}</output>
      <TryAgain onClick={() => void query.refetch()} />
    </div>
  );
}

type EntryPlaceholderProps = { query: Query; failed: string; children?: ReactNode };

/** An entry that is not there yet, or did not come. */
export function EntryPlaceholder({ query, failed, children }: EntryPlaceholderProps) {
  if (query.isError && !query.isFetching) {
    return (
      <div className="flex flex-wrap items-center gap-x-12 gap-y-4 px-24 pt-20 text-13 text-ink2">
        <p role="alert">{failed}</p>
        <TryAgain onClick={() => void query.refetch()} />
        {children}
      </div>
    );
  }
  return (
    <div aria-busy className="space-y-16 px-24 pt-24">
      <Skeleton className="h-20 w-1/3" />
      <Skeleton className="h-36 w-full" />
      <Skeleton className="h-192 w-full" />
    </div>
  );
}
