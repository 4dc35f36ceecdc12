import { useMutation } from "@tanstack/react-query";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { confirmRename, dropRename, noteRename } from "#web/features/conversation/chat-cache/own-renames.ts";

type Rename = { id: string; title: string; before: string };

async function show(id: string, title: string): Promise<void> {
  queryClient.setQueryData<{ chat: ChatDetails }>(keys.chat(id), (held) => held && { chat: { ...held.chat, title } });
  const { changeRow } = await import("#web/features/conversation/chat-cache/list-changes.ts");
  changeRow(id, { title });
}

/** Renames a chat; the new title shows at once and goes back, with the reason, when it was not taken. */
export function useRenameChat() {
  return useMutation({
    mutationFn: ({ id, title }: Rename) => call(updateChat, { params: { id }, body: { title } }),
    onMutate: ({ id, title }) => {
      noteRename(id, title);
      return show(id, title);
    },
    onSuccess: (_answer, { id }) => confirmRename(id),
    onError: (error, { id, before }) => {
      dropRename(id);
      void show(id, before);
      toast({ tone: "danger", title: "Failed to rename chat", description: error.message });
    },
  });
}
