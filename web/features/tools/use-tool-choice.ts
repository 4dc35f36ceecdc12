import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { updateChat } from "#shared/contracts/chats.ts";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast.tsx";
import { chosenTools, NEW_CHAT } from "./chosen-tools.ts";
import { optionalAmong, toggled } from "./optional-categories.ts";
import { usePreferences } from "./use-preferences.ts";

type ChatAnswer = { chat: ChatDetails };

export type ToolChoice = {
  /** The optional categories that are on for the next message. */
  categories: string[];
  toggle: (id: string) => void;
};

/** The tools of a chat's next message (null: the chat to come, which starts from the defaults). */
export function useToolChoice(chatId: string | null): ToolChoice {
  const { defaultToolCategories } = usePreferences();
  const { data } = useQuery<ChatAnswer>({ queryKey: keys.chat(chatId ?? "none"), queryFn: skipToken });
  const chosen = useKeyed(chosenTools, chatId ?? NEW_CHAT);
  const categories = optionalAmong(chosen ?? data?.chat.tool_categories ?? defaultToolCategories);
  const save = useMutation({
    mutationKey: ["tool-choice", chatId],
    scope: { id: `tool-choice:${chatId}` },
    mutationFn: ({ id, next }: { id: string; next: string[] }) => call(updateChat, { params: { id }, body: { tool_categories: next } }),
    onSuccess: ({ chat }, { id }) => {
      queryClient.setQueryData<ChatAnswer>(
        keys.chat(id),
        (held) => held && { chat: { ...held.chat, tool_categories: chat.tool_categories } },
      );
    },
    onError: (error) => {
      toast({ title: "The tools were not changed", description: error instanceof ApiError ? error.message : "", tone: "danger" });
    },
    onSettled: (_answer, _error, { id }) => {
      // While a later choice is on its way, that one is shown.
      if (queryClient.isMutating({ mutationKey: ["tool-choice", id] }) === 1) chosenTools.set(id, null);
    },
  });

  return {
    categories,
    toggle: (category) => {
      const next = toggled(categories, category);
      chosenTools.set(chatId ?? NEW_CHAT, next);
      if (chatId !== null && data) save.mutate({ id: chatId, next });
    },
  };
}
