import { createContext, type ReactNode, use } from "react";

/** What stands at both ends of every pane's header; the shell provides it. */
export const PaneEndsContext = createContext<{ start: ReactNode; end: ReactNode }>({ start: null, end: null });

type PaneHeaderProps = {
  /** The title; absent at home. */
  children?: ReactNode;
  /** What stands at the right, before the end. */
  actions?: ReactNode;
  /** In place of the end that other panes have. */
  end?: ReactNode;
};

/** The 52 px bar above every pane: the pane's title and actions between what all panes have. */
export function PaneHeader({ children, actions, end }: PaneHeaderProps) {
  const ends = use(PaneEndsContext);
  return (
    <header data-print="hide" className="flex shrink-0 items-center gap-4 px-4 pt-(--safe-top) desk:px-16 desk:pl-24">
      <div className="flex h-52 min-w-0 flex-1 items-center gap-4">
        {ends.start}
        <div className="flex min-w-0 flex-1 items-center">{children}</div>
        {actions}
        {end ?? ends.end}
      </div>
    </header>
  );
}
