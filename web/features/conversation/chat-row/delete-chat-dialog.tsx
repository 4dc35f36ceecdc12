import { useMatch, useNavigate } from "react-router";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { useDeleteChat } from "./use-delete-chat.ts";

type DeleteChatDialogProps = {
  /** The chat in question; null when none is. */
  chat: { id: string; title: string } | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Asks before a chat is deleted for good; deleting the open one leads home. */
export function DeleteChatDialog({ chat, open, onOpenChange }: DeleteChatDialogProps) {
  const navigate = useNavigate();
  const shown = useMatch("/c/:chatId")?.params.chatId;
  const remove = useDeleteChat({
    onSuccess: (id) => {
      onOpenChange(false);
      if (id === shown) void navigate("/", { replace: true });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete chat?"
      confirm="Delete"
      busy={remove.isPending}
      onConfirm={() => chat && remove.mutate(chat.id)}
    >
      <p>
        <span className="font-medium break-words text-ink">{chat?.title || "This chat"}</span> and all its messages are deleted for good.
        This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
