import { CONTEXTS_PER_CHAT } from "#shared/limits.ts";
import { changeSettings, useChatSettings } from "#web/features/chat-settings/use-chat-settings.ts";
import { toast } from "#web/ui/toast/toast.tsx";

const NONE: readonly string[] = [];

/** The knowledge that a chat reads (null: the chat to come), and how an entry joins it or leaves. */
export function useChosenKnowledge(chatId: string | null) {
  const { context_ids: chosen = NONE } = useChatSettings(chatId);
  const toggle = (id: string) => {
    const isChosen = chosen.includes(id);
    if (!isChosen && chosen.length >= CONTEXTS_PER_CHAT) {
      toast({ title: `A chat takes at most ${CONTEXTS_PER_CHAT} knowledge entries`, tone: "warning" });
      return;
    }
    const context_ids = isChosen ? chosen.filter((other) => other !== id) : [...chosen, id];
    void changeSettings(chatId, { context_ids }, "The knowledge was not changed");
  };
  return { chosen, toggle };
}
