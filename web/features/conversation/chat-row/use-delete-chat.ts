import { useMutation } from "@tanstack/react-query";
import { deleteChat } from "#shared/contracts/chat/chats.ts";
import { leaving } from "#web/features/conversation/sending/leaving.ts";
import { clearDraft } from "#web/features/conversation/composer/drafts.ts";
import { forgetChat } from "#web/features/conversation/messages/forgotten-chats.ts";
import { call } from "#web/lib/api.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** Deletes a chat for good. The caller asked first, and leaves the chat's page in `onSuccess`. */
export function useDeleteChat({ onSuccess }: { onSuccess?: (id: string) => void } = {}) {
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
