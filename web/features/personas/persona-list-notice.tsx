import { Button } from "#web/ui/button.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import type { ListCounts } from "#web/ui/picker/picker-list.tsx";

type NoticeProps = ListCounts & { status: "loading" | "ready" | "failed"; onRetry: () => void };

const TEXTS = { loading: "Loading prompts...", ready: "No prompts found.", failed: "The personas could not be loaded." } as const;

/** What a list of personas without rows says, and the way on. */
export function PersonaListNotice({ status, matches, onRetry, onClear }: NoticeProps) {
  return (
    <>
      <output className="block shrink-0">
        {matches === 0 && <p className="px-20 pt-16 text-13 text-ink2 desk:px-16">{TEXTS[status]}</p>}
      </output>
      {matches === 0 && status === "loading" && <RowSkeletons lines={1} className="h-36 px-20 desk:px-16 touch:h-56" />}
      {matches === 0 && status !== "loading" && (
        <div className="shrink-0 px-8 pt-4 desk:px-4">
          <Button variant="quiet" size="sm" onClick={status === "failed" ? onRetry : onClear}>
            {status === "failed" ? "Try again" : "Clear search"}
          </Button>
        </div>
      )}
    </>
  );
}
