import * as z from "zod/mini";
import { CONTEXTS_PER_CHAT, MODEL_ID_LENGTH, TOOL_ID_LENGTH, TOOL_LIST_LENGTH } from "../limits.ts";
import { Id, ModelId, ToolId } from "./ids.ts";

/** What a chat's messages are sent with: one value that every door spreads. */
export const ChatSettings = z.object({
  /** Null for the model that its reader prefers. */
  model_id: z.nullable(z.string().check(z.maxLength(MODEL_ID_LENGTH))),
  /** Null where none was chosen, so one is resolved; an empty text for no persona. */
  persona_id: z.nullable(z.string()),
  /** The optional tool categories that are on. */
  tool_categories: z.array(z.string().check(z.maxLength(TOOL_ID_LENGTH))).check(z.maxLength(TOOL_LIST_LENGTH)),
  /** The knowledge entries that are read. */
  context_ids: z.array(z.string()),
  /** True for a chat in which no memory is read and none is saved. */
  off_record: z.optional(z.boolean()),
});
export type ChatSettings = z.infer<typeof ChatSettings>;

/** Some of a chat's settings; what is not named stays as it is. */
export const ChatSettingsChange = z.partial(ChatSettings);
export type ChatSettingsChange = z.infer<typeof ChatSettingsChange>;

/** Categories of tools by id; one that doesn't exist here has no effect. */
export const ToolCategoryIds = z.array(ToolId).check(z.maxLength(TOOL_LIST_LENGTH, "That list is too long."));

/** Some of a chat's settings as a request may give them. */
export const ChatSettingsInput = z.partial(
  z.object({
    model_id: z.nullable(ModelId),
    persona_id: z.nullable(z.union([Id, z.literal("")])),
    tool_categories: ToolCategoryIds,
    context_ids: z.array(Id).check(z.maxLength(CONTEXTS_PER_CHAT, "That list is too long.")),
    off_record: z.boolean(),
  }),
);

/** The settings that mean the same to everybody; personas and knowledge are their owners' own. */
export const PortableSettings = z.omit(ChatSettingsChange, { persona_id: true, context_ids: true });

/** What a chat is set to before anything was chosen. */
export const NO_SETTINGS: ChatSettings = { model_id: null, persona_id: null, tool_categories: [], context_ids: [] };

export function applySettings(settings: ChatSettings, change: ChatSettingsChange): ChatSettings {
  return ChatSettings.parse({ ...settings, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) });
}

/** The settings among other fields, without what is not named. */
export function pickSettings(fields: ChatSettingsChange): ChatSettingsChange {
  return ChatSettingsChange.parse(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}
