import { isAllowed } from "#shared/models/allowlist.ts";
import type { ChatSettings, ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import type { User } from "#shared/entities/user.ts";

type Chosen = Pick<
  User,
  | "model_allowlist"
  | "triggered_model"
  | "triggered_tool_categories"
  | "triggered_system_prompt_id"
  | "triggered_context_ids"
  | "triggered_autopilot_enabled"
>;

/**
 * What a message that was not typed in the interface is sent with (`triggered_*`): under Autopilot neither the model nor the
 * tools that were chosen count, and a model that left the allowlist gives way to the preferred one.
 */
export function triggeredSettings(user: Chosen): ChatSettings {
  const { triggered_model: model, triggered_autopilot_enabled: isAutopilot } = user;
  const chosenModel = model !== null && isAllowed(model, user.model_allowlist) ? model : null;
  return {
    model_id: isAutopilot ? AUTOPILOT_MODEL_ID : chosenModel,
    persona_id: user.triggered_system_prompt_id,
    tool_categories: isAutopilot ? [] : (user.triggered_tool_categories ?? []),
    context_ids: user.triggered_context_ids ?? [],
  };
}

/** The same as a change of a chat's own settings for one turn: what was not chosen is not named. */
export function triggeredChange(user: Chosen): ChatSettingsChange {
  const { triggered_tool_categories: categories, triggered_context_ids: contexts, triggered_autopilot_enabled: isAutopilot } = user;
  const { model_id, persona_id, tool_categories, context_ids } = triggeredSettings(user);
  return {
    ...(model_id !== null && { model_id }),
    ...(persona_id !== null && { persona_id }),
    ...(categories !== null && !isAutopilot && { tool_categories }),
    ...(contexts !== null && { context_ids }),
  };
}
