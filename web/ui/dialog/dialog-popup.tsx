import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog } from "@base-ui/react/dialog";
import { type LucideIcon, X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";

export type DialogPopupProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Hides the title from view, not from the accessibility tree. */
  hideTitle?: boolean;
  subtitle?: ReactNode;
  /** Says what kind of thing the title names, before it. */
  icon?: LucideIcon | undefined;
  footer?: ReactNode;
  /** In px; 480 unless given. */
  width?: number;
  /** Fills this height where the window allows, in px. */
  height?: number;
  /** No padding of its own: the content draws to the edges. */
  bare?: boolean;
  /** `alertdialog` asks something that must be answered. */
  role?: "dialog" | "alertdialog";
  initialFocus?: RefObject<HTMLElement | null>;
  children?: ReactNode;
};

/** A drawer on a wide phone or a tablet is no wider, in px, unless it holds what is wider by itself. */
const SHEET_WIDTH = 640;

/** In the middle of the window, on phones a drawer at its bottom. */
export default function DialogPopup({
  open,
  onOpenChange,
  title,
  hideTitle = false,
  subtitle,
  icon: Icon,
  footer,
  width = 480,
  height,
  bare = false,
  role = "dialog",
  initialFocus,
  children,
}: DialogPopupProps) {
  const Root = role === "alertdialog" ? AlertDialog.Root : Dialog.Root;
  return (
    <Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop
          // What a dialog lies on steps back, another dialog or a drawer too.
          forceRender
          className="fixed inset-0 z-40 bg-scrim transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Dialog.Viewport className="fixed inset-0 bottom-(--keyboard) z-40 flex items-center justify-center px-[max(16px,var(--safe-left),var(--safe-right))] pt-[max(16px,var(--safe-top))] pb-[max(16px,var(--safe-bottom))] max-desk:items-end max-desk:px-0 max-desk:pb-0">
          <Dialog.Popup
            initialFocus={initialFocus}
            style={{ width, height }}
            className={cx(
              "popup sheet relative flex max-h-full max-w-full flex-col overflow-clip rounded-18 border border-transparent bg-s2 text-ink shadow-overlay outline-none max-desk:w-full! max-desk:rounded-b-none max-desk:pb-(--safe-bottom) dark:border-line",
              width <= SHEET_WIDTH && "max-desk:max-w-640",
            )}
          >
            <div className={cx(hideTitle ? "sr-only" : "relative shrink-0 pt-20 pr-64 pb-16", Icon ? "pl-52" : "pl-24")}>
              {Icon && <Icon aria-hidden className="absolute top-26 left-24 size-16 text-ink2" />}
              <Dialog.Title className="font-serif text-21 break-words text-ink">{title}</Dialog.Title>
              {subtitle && <Dialog.Description className="mt-4 text-13 text-ink2">{subtitle}</Dialog.Description>}
            </div>
            <div className={cx("min-h-0 flex-1", bare ? "flex" : "overflow-y-auto px-24 pt-4 pb-24")}>{children}</div>
            {footer && (
              <div className="flex shrink-0 flex-wrap items-center justify-end gap-8 border-t border-line px-24 py-12">{footer}</div>
            )}
            {role === "dialog" && (
              <Dialog.Close
                render={
                  <IconButton
                    label="Close"
                    icon={X}
                    tooltip={false}
                    className="absolute top-18 right-16 bg-s2 touch:top-12 touch:right-12"
                  />
                }
              />
            )}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Root>
  );
}
