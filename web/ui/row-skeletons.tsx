import { cx } from "./cx.ts";
import { Skeleton } from "./skeleton.tsx";

const WIDTHS = ["w-1/2", "w-2/5", "w-3/5", "w-1/3", "w-1/2"] as const;

type RowSkeletonsProps = {
  /** What is loading, for screen readers; none where a text in sight says so. */
  label?: string;
  rows?: number;
  /** The height and inset of one row, as those that come have them. */
  className: string;
  /** One line where the rows that come have no second one. */
  lines?: 1 | 2;
};

/** Bars in the shape of rows that are on their way. */
export function RowSkeletons({ label, rows = 5, className, lines = 2 }: RowSkeletonsProps) {
  return (
    <output aria-hidden={label === undefined || undefined} className="block">
      {label !== undefined && <span className="sr-only">{label}</span>}
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} data-skeleton className={cx("flex flex-col justify-center gap-8", className)}>
          <Skeleton className={cx("h-10", WIDTHS[index % WIDTHS.length])} />
          {lines === 2 && <Skeleton className="h-8 w-4/5" />}
        </span>
      ))}
    </output>
  );
}
