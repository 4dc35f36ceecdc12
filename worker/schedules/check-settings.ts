import type { ScheduleBody } from "#shared/entities/schedules/schedule.ts";
import { checkTriggered } from "../users/triggered.ts";
import type { Asker } from "./schedules.ts";

type Settings = { [K in "model_id" | "persona_id" | "tool_categories"]?: ScheduleBody[K] | undefined };

/** Refuses a model, tools or a persona that a schedule's person may not use. Throws as `checkTriggered` does. */
export async function checkSettings({ env, db, caller }: Asker, settings: Settings): Promise<void> {
  const { model_id: model, persona_id: persona, tool_categories: categories } = settings;
  await checkTriggered(env, db, caller, {
    ...(model != null && { triggered_model: model }),
    ...(persona != null && { triggered_system_prompt_id: persona }),
    ...(categories != null && { triggered_tool_categories: categories }),
  });
}
