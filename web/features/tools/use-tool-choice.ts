import type { ToolCategory } from "#shared/entities/tool-category.ts";
import { changeSettings, useChatSettings } from "#web/features/chat-settings/use-chat-settings.ts";
import { optionalAmong, optionalOf, toggled } from "./optional-categories.ts";
import { useCategories } from "./use-categories.ts";
import { usePreferences } from "./use-preferences.ts";

export type ToolChoice = {
  /** The categories that a chat may have or not. */
  offered: readonly ToolCategory[];
  /** The optional categories that are on for the next message. */
  categories: string[];
  toggle: (id: string) => void;
};

/** The tools of a chat's next message (null: the chat to come, which starts from the defaults). */
export function useToolChoice(chatId: string | null): ToolChoice {
  const { defaultToolCategories } = usePreferences();
  const known = useCategories();
  const offered = optionalOf(known).filter(({ state }) => state !== "off");
  const chosen = useChatSettings(chatId).tool_categories ?? defaultToolCategories;
  const categories = optionalAmong(chosen, offered);
  return {
    offered,
    categories,
    // Over all that was chosen: what is off for a time comes back with what it was.
    toggle: (category) => void changeSettings(chatId, { tool_categories: toggled(chosen, category) }, "The tools were not changed"),
  };
}
