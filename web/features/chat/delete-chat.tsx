import { useState } from "react";
import { useNavigate } from "react-router";
import { deleteChat } from "#shared/contracts/chats.ts";
import { clearDraft } from "#web/features/composer/drafts.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { toast } from "#web/ui/toast.tsx";

type DeleteChatProps = { chatId: string; title: string; open: boolean; onOpenChange: (open: boolean) => void };

/** Asks, deletes for good, and goes home. */
export function DeleteChat({ chatId, title, open, onOpenChange }: DeleteChatProps) {
  const navigate = useNavigate();
  const [isDeleting, setIsDeleting] = useState(false);
  const remove = async () => {
    setIsDeleting(true);
    try {
      await call(deleteChat, { params: { id: chatId } });
      onOpenChange(false);
      clearDraft(chatId);
      await navigate("/", { replace: true });
      queryClient.removeQueries({ queryKey: keys.messages(chatId) });
      queryClient.removeQueries({ queryKey: keys.chat(chatId) });
      await queryClient.invalidateQueries({ queryKey: ["chats"] });
    } catch (error) {
      toast({ title: "Failed to delete chat", description: error instanceof ApiError ? error.message : "", tone: "danger" });
    } finally {
      setIsDeleting(false);
    }
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Delete this chat?"
      confirm="Delete"
      busy={isDeleting}
      onConfirm={() => void remove()}
    >
      <p className="[overflow-wrap:anywhere]">{`"${title}" and all its messages are deleted for good.`}</p>
    </ConfirmDialog>
  );
}
