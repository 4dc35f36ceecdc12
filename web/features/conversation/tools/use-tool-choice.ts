import { skipToken, useQuery } from "@tanstack/react-query";
import { isAvailable, type ToolCategory } from "#shared/entities/tool-category.ts";
import { isOwnCategory, OWNERS_CHOICE } from "#shared/tools/own-categories.ts";
import { changeSettings, useChatSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import type { ChatAnswer } from "#web/features/conversation/messages/use-chat.ts";
import { keys } from "#web/lib/query.ts";
import { optionalAmong, optionalOf, toggled } from "./optional-categories.ts";
import { useOfferedCategories } from "./use-categories.ts";
import { usePreferences } from "./use-preferences.ts";

/** A category as a chat offers it; `isBarred` for one that its person may not switch on there, as its description then says. */
export type OfferedCategory = ToolCategory & { isBarred?: boolean };

export type ToolChoice = {
  /** The categories that a chat may have or not, and those that its person would have to get first. */
  offered: readonly OfferedCategory[];
  /** The optional categories that are on for the next message. */
  categories: string[];
  toggle: (id: string) => void;
};

/** The tools of a chat's next message (null: the chat to come, which starts from the defaults). */
export function useToolChoice(chatId: string | null): ToolChoice {
  const { defaultToolCategories } = usePreferences();
  const offered = optionalOf(useOfferedCategories()).filter(({ state }) => state !== "off");
  const chosen = useChatSettings(chatId).tool_categories ?? defaultToolCategories;
  const categories = optionalAmong(chosen, offered.filter(isAvailable));
  const { data } = useQuery<ChatAnswer>({ queryKey: keys.chat(chatId ?? "none"), queryFn: skipToken });
  const isOthers = data !== undefined && data.chat.permissionLevel !== "owner";
  const bar = (category: ToolCategory): OfferedCategory =>
    isOthers && isOwnCategory(category.id) && !chosen.includes(category.id)
      ? { ...category, description: OWNERS_CHOICE, isBarred: true }
      : category;
  return {
    offered: offered.map(bar),
    categories,
    // Over all that was chosen: what is off for a time comes back with what it was.
    toggle: (category) => void changeSettings(chatId, { tool_categories: toggled(chosen, category) }, "The tools were not changed"),
  };
}
