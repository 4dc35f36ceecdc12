import { ARTIFACT_SKELETON_ROWS } from "#shared/limits.ts";
import { cx } from "#web/ui/cx.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";

const WIDTHS = ["w-3/4", "w-1/2", "w-2/3", "w-4/5", "w-3/5"] as const;

/** Rows of the list's own shape while it loads. */
export function ArtifactListSkeleton({ inDrawer }: { inDrawer: boolean }) {
  return (
    <output aria-label="Loading artifacts" className="block pt-36">
      {Array.from({ length: ARTIFACT_SKELETON_ROWS }, (_, index) => (
        <div
          key={index}
          data-skeleton
          className={cx("flex flex-col justify-center gap-8", inDrawer ? "mx-8 h-56 pr-12 pl-46" : "mx-12 h-52 pr-8 pl-32")}
        >
          <Skeleton className={cx("h-10", WIDTHS[index % WIDTHS.length])} />
          <Skeleton className="h-8 w-full" />
        </div>
      ))}
    </output>
  );
}
