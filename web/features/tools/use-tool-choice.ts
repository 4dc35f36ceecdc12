import { changeSettings, useChatSettings } from "#web/features/chat-settings/use-chat-settings.ts";
import { optionalAmong, toggled } from "./optional-categories.ts";
import { usePreferences } from "./use-preferences.ts";

export type ToolChoice = {
  /** The optional categories that are on for the next message. */
  categories: string[];
  toggle: (id: string) => void;
};

/** The tools of a chat's next message (null: the chat to come, which starts from the defaults). */
export function useToolChoice(chatId: string | null): ToolChoice {
  const { defaultToolCategories } = usePreferences();
  const categories = optionalAmong(useChatSettings(chatId).tool_categories ?? defaultToolCategories);
  return {
    categories,
    toggle: (category) => void changeSettings(chatId, { tool_categories: toggled(categories, category) }, "The tools were not changed"),
  };
}
