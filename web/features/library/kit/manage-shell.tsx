import type { ReactNode } from "react";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { cx } from "#web/ui/cx.ts";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import type { ManageProps } from "./pane.ts";

type ManageShellProps = ManageProps & {
  title: string;
  subtitle: string;
  /** In px. */
  width: number;
  height?: number;
  drawerClass: string;
  list: ReactNode;
  listClass?: string;
  /** What is done with an entry: null while that is nothing. */
  side: ReactNode;
  /** What stands beside the list meanwhile; without it an entry takes the list's place. */
  idle?: ReactNode;
  /** What may break in it, as a noun, and what a change of tries again. */
  what: string;
  resetKey: string;
};

/** A 'Manage' dialog: the list beside what is done with one of its entries, on phones one after the other in a drawer. */
export function ManageShell(props: ManageShellProps) {
  const { open, onOpenChange, title, subtitle, width, height, drawerClass, list, listClass, side, idle, what, resetKey } = props;
  const isMobile = useIsMobile();
  const guarded = (shown: ReactNode) => (
    <ErrorBoundary what={what} resetKey={resetKey}>
      {shown}
    </ErrorBoundary>
  );
  if (isMobile) {
    return (
      <Drawer open={open} onOpenChange={onOpenChange} side="bottom" title={title} className={drawerClass}>
        {guarded(side ?? list)}
      </Drawer>
    );
  }
  const hidesTitle = idle === undefined && side !== null;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      // An entry in the list's place has a heading of its own.
      hideTitle={hidesTitle}
      subtitle={subtitle}
      width={width}
      {...(height !== undefined && { height })}
      bare
    >
      {idle === undefined ? (
        <div className={cx("flex min-h-0 w-full flex-col", !hidesTitle && "border-t border-line")}>{guarded(side ?? list)}</div>
      ) : (
        <div className="flex min-h-0 w-full border-t border-line">
          <div className={cx("flex min-w-0 shrink-0 flex-col border-r border-line", listClass)}>{list}</div>
          <div className="relative min-w-0 flex-1">
            <div className="absolute inset-0 flex flex-col">{guarded(side ?? idle)}</div>
          </div>
        </div>
      )}
    </Dialog>
  );
}
