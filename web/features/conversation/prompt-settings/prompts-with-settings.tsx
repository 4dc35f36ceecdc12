import type { ManageProps } from "#web/features/library/kit/pane.ts";
import { PromptsPopup } from "#web/features/library/prompts/prompts-popup.tsx";
import { SchedulePrompt } from "#web/features/conversation/schedules/schedule-prompt.tsx";
import { SettingsFields } from "./settings-fields.tsx";

const PARTS = { Settings: SettingsFields, Schedule: SchedulePrompt };

/** 'Manage prompts', with what a prompt can set for its chat. */
export default function PromptsWithSettings(props: ManageProps) {
  return <PromptsPopup {...props} parts={PARTS} />;
}
