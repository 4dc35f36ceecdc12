import type { ReactNode } from "react";
import { ScrollRegion } from "#web/features/markdown/scroll-region.tsx";

interface CodeFrameProps {
  title: string;
  /** The name of the part that scrolls. */
  label: string;
  actions: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/** A head with title and buttons above text in the code's type that scrolls sideways. */
export function CodeFrame({ title, label, actions, footer, children }: CodeFrameProps) {
  return (
    <div className="overflow-clip rounded-12 border border-line bg-s2">
      <div className="flex h-34 items-center gap-4 border-b border-line pr-6 pl-14 touch:h-44">
        <span className="min-w-0 flex-1 truncate text-12 text-ink2">{title}</span>
        {actions}
      </div>
      <ScrollRegion label={label} className="overflow-x-auto px-14 py-10 outline-offset-[-2px]!">
        <pre className="font-mono text-13">{children}</pre>
      </ScrollRegion>
      {footer}
    </div>
  );
}
