import { useMutation, useQuery } from "@tanstack/react-query";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { listShares, removeShare, removeTeamShare, shareChat, type ShareInput } from "#shared/contracts/chat/sharing.ts";
import type { ChatAnswer } from "#web/features/conversation/messages/use-chat.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient, setAnswer } from "#web/lib/query.ts";

/** Who reaches a chat; asked again each time the dialog opens, as others share too. */
export function useShares(chatId: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.shares(chatId),
    queryFn: ({ signal }) => call(listShares, { params: { id: chatId } }, { signal }),
    enabled,
    staleTime: 0,
  });
}

/** Shares a chat, or changes the level of a share; the answer is who reaches it now. */
export function useShareChat(chatId: string) {
  return useMutation({
    mutationFn: (body: ShareInput) => call(shareChat, { params: { id: chatId }, body }),
    onSuccess: (shares) => setAnswer(keys.shares(chatId), shares),
    // An invitation is kept even where its mail failed, and others share meanwhile.
    onError: () => queryClient.invalidateQueries({ queryKey: keys.shares(chatId) }),
  });
}

/** Takes a share back. */
export function useRemoveShare(chatId: string) {
  return useMutation({
    mutationFn: ({ kind, shareId }: { kind: "user" | "team"; shareId: string }) =>
      call(kind === "user" ? removeShare : removeTeamShare, { params: { id: chatId, shareId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.shares(chatId) }),
  });
}

/** Makes a chat readable for everyone who has its link, or takes that back. */
export function usePublish(chatId: string) {
  return useMutation({
    mutationFn: (isPublic: boolean) => call(updateChat, { params: { id: chatId }, body: { public: isPublic } }),
    onSuccess: (answer) => queryClient.setQueryData<ChatAnswer>(keys.chat(chatId), answer),
  });
}
