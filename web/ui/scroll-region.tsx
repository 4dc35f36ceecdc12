import type { ReactNode } from "react";

/** What scrolls must be reachable by keyboard and say what it is; a region would make a landmark of every table. */
const reachable = { role: "group", tabIndex: 0 } as const;

interface ScrollRegionProps {
  label: string;
  className: string;
  /** A `div` by default; inside a paragraph only a `span` may stand. */
  as?: "div" | "span";
  children: ReactNode;
}

/** A part of a text that scrolls by itself. */
export function ScrollRegion({ label, className, as: Tag = "div", children }: ScrollRegionProps) {
  return (
    <Tag {...reachable} aria-label={label} className={className}>
      {children}
    </Tag>
  );
}
