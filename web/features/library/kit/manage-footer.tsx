import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";

/** What stands at the end of a list, or of a form. */
export function ManageFooter({ className, children }: { className?: string; children: ReactNode }) {
  const place =
    "flex shrink-0 items-center gap-8 border-t border-line px-20 pt-12 pb-[calc(12px+var(--safe-bottom))] desk:px-24 desk:pb-12";
  return <div className={cx(place, className)}>{children}</div>;
}
