import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";

const looks = [
  "font-serif text-21 font-medium",
  "font-serif text-21",
  "font-serif text-18",
  "text-15 font-semibold",
  "text-14 font-semibold",
  "text-14 font-semibold text-ink2",
];

/** A heading: its look follows the markdown's depth (1 to 6), its level the page's outline. */
export function Heading({ depth, level, children }: { depth: number; level?: number; children: ReactNode }) {
  const className = cx("markdown-heading text-balance", looks[depth - 1]);
  if (level === 3) return <h3 className={className}>{children}</h3>;
  if (level === 4) return <h4 className={className}>{children}</h4>;
  if (level === 5) return <h5 className={className}>{children}</h5>;
  if (level === 6) return <h6 className={className}>{children}</h6>;
  return <p className={className}>{children}</p>;
}
