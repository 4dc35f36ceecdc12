import type { MouseEvent, ReactNode } from "react";
import { useHref } from "react-router";
import { cx } from "#web/ui/cx.ts";

export type SearchOptionProps = {
  id: string;
  isActive: boolean;
  /** Where it leads; null for what only happens here. */
  to: string | null;
  onPoint: () => void;
  onOpen: () => void;
  className?: string;
  children: ReactNode;
};

/** One row of the palette: a link where it leads somewhere, so it opens in another tab like any. */
export function SearchOption({ id, isActive, to, onPoint, onOpen, className, children }: SearchOptionProps) {
  const href = useHref(to ?? "");
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  const shared = {
    id,
    role: "option",
    "aria-selected": isActive,
    tabIndex: -1,
    onClick: open,
    // Moved over and not entered: rows that come to stand under a resting pointer are not chosen by it.
    onPointerMove: isActive ? undefined : onPoint,
    className: cx("mx-8 flex items-center rounded-8 px-10 text-left text-ink", isActive && "bg-highlight", className),
  };
  if (to !== null) {
    return (
      <a {...shared} href={href}>
        {children}
      </a>
    );
  }
  return <div {...shared}>{children}</div>;
}
