import { CloudOff } from "lucide-react";

/** Where the catalogue stands: `stale` is an older list shown while the aggregator is down. */
export type ListStatus = "loading" | "ready" | "stale" | "failed";

type ListNoticeProps = { status: ListStatus; count: number; matches: number };

/** What a list without rows says (spec 2), and a note above one that is out of date. */
export function ListNotice({ status, count, matches }: ListNoticeProps) {
  const text = emptyText({ status, count, matches });
  return (
    <output className="block shrink-0">
      {text && <p className="px-16 pt-16 text-13 text-ink2">{text}</p>}
      {!text && status === "stale" && (
        <p className="flex items-center gap-8 px-14 pt-8 pb-2 text-12 text-ink2">
          <CloudOff aria-hidden className="size-14 shrink-0" />
          The models cannot be reached right now. This is the last known list.
        </p>
      )}
    </output>
  );
}

/** The text of an empty list, or null when it has rows. */
export function emptyText({ status, count, matches }: ListNoticeProps): string | null {
  if (matches > 0) return null;
  if (status === "loading") return "Loading models...";
  return count === 0 ? "No models found. Check console for errors." : "No models match your search.";
}
