import type { ReactNode } from "react";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Refusal } from "./refusal.tsx";
import type { Pages } from "./use-admin.ts";

const WIDTHS = ["w-full", "w-5/6", "w-11/12", "w-3/4", "w-4/5"];

type PagedListProps<Row> = {
  list: Pages<Row>;
  /** What it lists, as a sentence begins with it: "The users". */
  what: string;
  empty: string;
  children: (rows: Row[]) => ReactNode;
};

/** A list in each of its states: coming, refused, empty, and with more to come. */
export function PagedList<Row>({ list, what, empty, children }: PagedListProps<Row>) {
  const { rows, isPending, isBehind, error, isMoreLost, isRetrying, retry, hasMore, isReading, readMore } = list;
  if (isPending) {
    return (
      <div aria-busy className="space-y-16 py-12">
        {WIDTHS.map((width) => (
          <Skeleton key={width} className={`h-16 ${width}`} />
        ))}
      </div>
    );
  }
  const missing = isMoreLost ? "More" : rows.length > 0 ? "What is newer" : what;
  return (
    <div aria-busy={isBehind || isReading} className={cx("transition-opacity duration-120", isBehind && "opacity-60")}>
      {rows.length > 0 ? children(rows) : error === null && <p className="py-12 text-13 text-ink2">{empty}</p>}
      {error !== null && <Refusal what={missing} error={error} isBusy={isRetrying} onRetry={retry} />}
      {hasMore && !isMoreLost && (
        <Button variant="quiet" size="sm" busy={isReading} onClick={readMore} className="mt-8 -ml-12">
          Show more
        </Button>
      )}
    </div>
  );
}
