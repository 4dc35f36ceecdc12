import { useFolders } from "#web/features/conversation/filing/use-folders.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { returnFocusRef } from "#web/ui/focus.ts";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";

type UnreadFilingProps = {
  what: "folders" | "tags";
  /** The inset of what it stands among. */
  className?: string;
};

/** What stands where folders or tags are to be while they are not known: that they come, or that they could not be loaded. */
export function UnreadFiling({ what, className }: UnreadFilingProps) {
  const { query } = useFolders();
  if (!query.isError)
    return (
      <div className={className}>
        <output className="block text-13 text-ink2">{`Loading ${what}...`}</output>
        <RowSkeletons rows={3} lines={1} className="h-36 touch:h-48" />
      </div>
    );
  return (
    <div role="alert" className={cx("flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2", className)}>
      <p>{`Your ${what} could not be loaded.`}</p>
      <Button
        ref={returnFocusRef}
        size="sm"
        busy={query.isFetching}
        // A picker's search keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => void query.refetch()}
      >
        Try again
      </Button>
    </div>
  );
}
