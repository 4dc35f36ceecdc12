import type { MouseEvent, ReactNode } from "react";

interface FootnoteLinkProps {
  /** The id of the place it leads to. */
  to: string;
  id?: string;
  name: string;
  children: ReactNode;
}

/** Moves to a place of the same text without a change of the address, which belongs to the app. */
export function FootnoteLink({ to, id, name, children }: FootnoteLinkProps) {
  const go = (event: MouseEvent) => {
    const target = document.getElementById(to);
    if (!target) return;
    event.preventDefault();
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  };
  return (
    <a id={id} href={`#${to}`} aria-label={name} onClick={go} className="rounded-[2px] px-1 text-accent hover:underline">
      {children}
    </a>
  );
}
