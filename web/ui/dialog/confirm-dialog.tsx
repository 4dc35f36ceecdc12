import { type ReactNode, useRef } from "react";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "./dialog.tsx";

type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children?: ReactNode;
  /** The verb on the button that does it, e.g. 'Delete'. */
  confirm: string;
  cancel?: string;
  danger?: boolean;
  busy?: boolean;
  /** False where the address says that it is open. */
  back?: boolean;
  /** The dialog stays open until the caller closes it. */
  onConfirm: () => void;
};

/** Asks before something that cannot be undone; Cancel has the focus. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirm,
  cancel = "Cancel",
  danger = true,
  busy = false,
  back = true,
  onConfirm,
}: ConfirmDialogProps) {
  const safe = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      back={back}
      onOpenChange={onOpenChange}
      title={title}
      role="alertdialog"
      width={420}
      initialFocus={safe}
      footer={
        <>
          <Button ref={safe} onClick={() => onOpenChange(false)}>
            {cancel}
          </Button>
          <Button variant={danger ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="text-14 text-ink2">{children}</div>
    </Dialog>
  );
}
