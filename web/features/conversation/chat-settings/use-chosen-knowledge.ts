import { CONTEXTS_PER_CHAT } from "#shared/limits.ts";
import { changeSettings, useChatSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { toast } from "#web/ui/toast/toast.tsx";

const NONE: readonly string[] = [];

/** The knowledge that a chat reads (null: the chat to come), and how an entry joins it or leaves. */
export function useChosenKnowledge(chatId: string | null) {
  const { context_ids: chosen = NONE } = useChatSettings(chatId);
  const toggle = (id: string) => {
    const context_ids = toggledKnowledge(chosen, id);
    if (context_ids) void changeSettings(chatId, { context_ids }, "The knowledge was not changed");
  };
  return { chosen, toggle };
}

/** These entries with one put in or taken out; null, said in a notice, where there is no room for it. */
export function toggledKnowledge(chosen: readonly string[], id: string): string[] | null {
  if (chosen.includes(id)) return chosen.filter((other) => other !== id);
  if (chosen.length < CONTEXTS_PER_CHAT) return [...chosen, id];
  toast({ title: `A chat takes at most ${CONTEXTS_PER_CHAT} knowledge entries`, tone: "warning" });
  return null;
}
