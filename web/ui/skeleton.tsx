import { cx } from "./cx.ts";

/** A still bar where text will be; what contains it says `aria-busy`. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx("block rounded-6 bg-s3", className)} />;
}
