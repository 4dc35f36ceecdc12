import type { ComponentProps } from "react";
import { cx } from "./cx.ts";

/** How much is done, as a thin line in the product's own colours rather than the browser's. */
export function ProgressBar({ className, ...rest }: ComponentProps<"progress">) {
  return (
    <progress {...rest} className={cx("progress h-4 appearance-none overflow-hidden rounded-full border-0 bg-s4 text-accent", className)} />
  );
}
