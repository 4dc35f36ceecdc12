import { skipToken, useQuery } from "@tanstack/react-query";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { type ChatAnswer, chatQuery } from "#web/features/conversation/messages/use-chat.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { pickFields, withoutOneTimeSettings, pick, forgetPickedSettings, usePicked } from "./picked-settings.ts";

/** What a chat's next message is sent with (null: the chat to come): what was picked here, else what the chat has; nothing where its default holds. */
export function useChatSettings(chatId: string | null): ChatSettingsChange {
  const { data } = useQuery<ChatAnswer>({ queryKey: keys.chat(chatId ?? "none"), queryFn: skipToken });
  const picked = usePicked(chatId);
  return { ...(data && withoutOneTimeSettings(data.chat)), ...picked };
}

/** Sets a chat for its next messages: seen at once; what lasts is saved, one after another, and taken back with the reason where saving fails. */
export async function changeSettings(chatId: string | null, picks: ChatSettingsChange, failure: string): Promise<void> {
  pick(chatId, picks);
  const change = withoutOneTimeSettings(picks);
  const isChatCached = chatId !== null && queryClient.getQueryData(keys.chat(chatId)) !== undefined;
  if (!isChatCached || Object.keys(change).length === 0) return;
  const mutationKey = ["chat-settings", chatId];
  const saving = queryClient.getMutationCache().build(queryClient, {
    mutationKey,
    scope: { id: `settings:${chatId}` },
    mutationFn: () => call(updateChat, { params: { id: chatId }, body: change }),
  });
  try {
    const { chat } = await saving.execute(undefined);
    queryClient.setQueryData<ChatAnswer>(
      keys.chat(chatId),
      (cached) => cached && { chat: { ...cached.chat, ...pickFields(chat, (name) => name in change) } },
    );
    // While a later choice is on its way, that one is shown.
    if (queryClient.isMutating({ mutationKey }) === 0) forgetPickedSettings(chatId, withoutOneTimeSettings(chat));
  } catch (error) {
    forgetPickedSettings(chatId, change);
    toastFailure(failure, error);
  }
}

/** A message that carried settings was taken: the chat is read as it made it, and what that holds is no longer this page's alone. */
export async function rereadSettings(chatId: string): Promise<void> {
  await queryClient.prefetchQuery({ ...chatQuery(chatId), staleTime: 0 });
  const cached = queryClient.getQueryData<ChatAnswer>(keys.chat(chatId));
  if (cached) forgetPickedSettings(chatId, withoutOneTimeSettings(cached.chat));
}
