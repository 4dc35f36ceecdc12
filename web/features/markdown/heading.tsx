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

/** By level, from the second on. */
const tags = ["h2", "h3", "h4", "h5", "h6"] as const;

/** A heading: its look follows the markdown's depth (1 to 6), its level the page's outline. */
export function Heading({ depth, level, children }: { depth: number; level?: number; children: ReactNode }) {
  const className = cx("markdown-heading text-balance", looks[depth - 1]);
  const Tag = tags[(level ?? 0) - 2] ?? "p";
  return (
    <Tag dir="auto" className={className}>
      {children}
    </Tag>
  );
}
