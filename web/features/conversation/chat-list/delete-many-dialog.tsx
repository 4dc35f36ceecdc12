import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { chatCount } from "#web/features/conversation/chat-cache/bulk-outcome.ts";

type DeleteManyDialogProps = {
  /** Null: all of the list, however many. */ count: number | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
};

/** Asks once before many chats are deleted for good. */
export default function DeleteManyDialog({ count, open, onOpenChange, onConfirm }: DeleteManyDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={count === null ? "Delete all chats of this list?" : `Delete ${chatCount(count)}?`}
      confirm="Delete"
      onConfirm={onConfirm}
    >
      <p>The selected chats and all their messages are deleted for good. This cannot be undone. Chats that others share with you stay.</p>
    </ConfirmDialog>
  );
}
