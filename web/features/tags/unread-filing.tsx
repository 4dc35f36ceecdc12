import { useFolders } from "#web/features/folders/use-folders.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";

type UnreadFilingProps = {
  what: "folders" | "tags";
  /** The inset of what it stands among. */
  className?: string;
};

/** What stands where folders or tags are to be while they are not known: that they come, or that they could not be loaded. */
export function UnreadFiling({ what, className }: UnreadFilingProps) {
  const { query } = useFolders();
  if (!query.isError) return <output className={cx("block text-13 text-ink2", className)}>{`Loading ${what}...`}</output>;
  return (
    <div role="alert" className={cx("flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2", className)}>
      <p>{`Your ${what} could not be loaded.`}</p>
      <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}
