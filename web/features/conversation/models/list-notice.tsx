import { CloudOff } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import type { ListStatus } from "./list-status.ts";

type Counts = { status: ListStatus; count: number; matches: number };
type ListNoticeProps = Counts & { onRetry: () => void; onClear: () => void };

/** What a list without rows says and offers, and a note above one that is out of date. */
export function ListNotice({ onRetry, onClear, ...counts }: ListNoticeProps) {
  const text = emptyText(counts);
  const { status, count } = counts;
  return (
    <>
      <output aria-busy={status === "loading" && text !== null} className="block shrink-0">
        {text && <p className="px-20 pt-16 text-13 text-ink2">{text}</p>}
        {!text && status === "stale" && (
          <p className="flex items-center gap-8 px-20 py-6 text-12 text-ink2 desk:px-14">
            <CloudOff aria-hidden className="size-14 shrink-0" />
            The models cannot be reached right now. This is the last known list.
          </p>
        )}
      </output>
      {text && status === "loading" && <RowSkeletons lines={1} className="h-36 px-20 touch:h-56" />}
      {text && status !== "loading" && (
        <div className="shrink-0 px-8 pt-4">
          <Button variant="quiet" size="sm" onClick={count === 0 ? onRetry : onClear}>
            {count === 0 ? "Try again" : "Clear search"}
          </Button>
        </div>
      )}
    </>
  );
}

/** The text of an empty list, or null when it has rows. */
export function emptyText({ status, count, matches }: Counts): string | null {
  if (matches > 0) return null;
  if (status === "loading") return "Loading models...";
  return count === 0 ? "No models found. Check console for errors." : "No models match your search.";
}
