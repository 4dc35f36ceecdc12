import { Drawer } from "@base-ui/react/drawer";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";

export type DrawerPopupProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  side: "left" | "bottom";
  title: string;
  /** Hides the title row; the title still names the drawer. */
  hideTitle?: boolean;
  footer?: ReactNode;
  className?: string;
  children?: ReactNode;
};

const sides = {
  left: {
    viewport: "items-stretch justify-start",
    popup:
      "h-full w-320 max-w-[calc(100vw-40px)] rounded-r-18 pt-(--safe-top) dark:border-r [transform:translateX(var(--drawer-swipe-movement-x))] data-ending-style:[transform:translateX(-100%)] data-starting-style:[transform:translateX(-100%)]",
  },
  bottom: {
    viewport: "items-end justify-center",
    popup:
      "max-h-[min(664px,calc(100dvh-var(--keyboard)-var(--safe-top)-24px))] w-full max-w-640 rounded-t-18 dark:border-t [transform:translateY(var(--drawer-swipe-movement-y))] data-ending-style:[transform:translateY(100%)] data-starting-style:[transform:translateY(100%)]",
  },
} as const;

export default function DrawerPopup({ open, onOpenChange, side, title, hideTitle = false, footer, className, children }: DrawerPopupProps) {
  return (
    <Drawer.Root open={open} onOpenChange={(next) => onOpenChange(next)} swipeDirection={side === "left" ? "left" : "down"}>
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 z-40 bg-scrim opacity-[calc(1-var(--drawer-swipe-progress,0))] transition-opacity duration-260 data-ending-style:opacity-0 data-starting-style:opacity-0 data-swiping:duration-0" />
        <Drawer.Viewport className={cx("fixed inset-0 bottom-(--keyboard) z-40 flex", sides[side].viewport)}>
          <Drawer.Popup
            className={cx(
              "relative flex flex-col bg-s2 text-ink shadow-overlay transition-transform duration-260 ease-out outline-none data-swiping:duration-0 data-swiping:select-none dark:border-line",
              sides[side].popup,
              className,
            )}
          >
            {side === "bottom" && <div aria-hidden className="mx-auto mt-8 h-4 w-36 shrink-0 rounded-full bg-s4" />}
            <div className={cx(hideTitle ? "sr-only" : "flex h-44 shrink-0 items-center justify-between pr-8 pl-20")}>
              <Drawer.Title className="font-serif text-21 text-ink">{title}</Drawer.Title>
              {!hideTitle && <Drawer.Close render={<IconButton size="touch" label="Close" icon={X} tooltip={false} />} />}
            </div>
            <Drawer.Content className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">{children}</Drawer.Content>
            {footer && (
              <div className="flex shrink-0 flex-wrap items-center justify-end gap-8 border-t border-line px-20 py-12">{footer}</div>
            )}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
