import { useMatch, useNavigate } from "react-router";
import { useMutation } from "@tanstack/react-query";
import { deleteChat } from "#shared/contracts/chat/chats.ts";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { leaving } from "#web/features/conversation/sending/leaving.ts";
import { clearDraft } from "#web/features/conversation/composer/drafts.ts";
import { forgetChat } from "#web/features/conversation/messages/forgotten-chats.ts";
import { call } from "#web/lib/api.ts";
import { toast } from "#web/ui/toast/toast.tsx";

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

/** Deletes a chat for good. The caller asked first, and leaves the chat's page in `onSuccess`. */
function useDeleteChat({ onSuccess }: { onSuccess?: (id: string) => void } = {}) {
  return useMutation({
    mutationFn: (id: string) => {
      leaving.add(id);
      return call(deleteChat, { params: { id } });
    },
    onSuccess: async (_, id) => {
      // First away from its page: an open chat whose cache is gone would be asked for again.
      onSuccess?.(id);
      clearDraft(id);
      forgetChat(id);
      const { hideChat } = await import("#web/features/conversation/chat-cache/list-changes.ts");
      hideChat(id);
    },
    onError: (error, id) => {
      leaving.delete(id);
      toast({ tone: "danger", title: "Failed to delete chat", description: error.message });
    },
  });
}
