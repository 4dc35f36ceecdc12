import { triggeredSettings } from "#shared/tools/triggered-settings.ts";
import { AUTO_MODEL_ID, AUTOPILOT_MODEL_ID } from "#shared/entities/model.ts";
import type { User } from "#shared/entities/user.ts";
import { useShortModelName } from "#web/features/models/use-models.ts";
import { toolCountText } from "#web/features/tools/optional-categories.ts";

/** How triggered messages are answered, in a few words: `Sonnet 4.6, 2 tools`. */
export function useTriggeredSummary(user: User): string {
  const settings = triggeredSettings(user);
  const name = useShortModelName(settings.model_id ?? user.preferred_model ?? AUTO_MODEL_ID);
  return settings.model_id === AUTOPILOT_MODEL_ID ? "Autopilot" : `${name}, ${toolCountText(settings.tool_categories.length)}`;
}
