import * as z from "zod/mini";
import type { ToolSettingPatch } from "#shared/contracts/tools.ts";
import type { ToolSetting, ToolSettings } from "#shared/entities/tool-setting.ts";
import { ARTIFACT_TOOLS } from "#shared/private-tools.ts";
import { switchTool } from "#shared/tools/tool-rules.ts";
import { categoryOf, CODEGEN_TOOLS, GMAIL_TOOLS } from "./categories.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { ToolPreferences } from "#worker/platform/env.ts";
import { selectDefaults, selectToolSettings, upsertToolSettings } from "./queries.ts";

export { selectToolSettings } from "./queries.ts";

const UNSET: ToolSetting = { enabled: true, is_always_on_override: false, always_allowed: false };

const Switch = z.number();
const StoredSettings = z.array(z.tuple([z.string(), Switch, Switch, Switch]));

/** The settings from the JSON of a joined row (`toolSettingsJson`). */
export function parseToolSettings(json: string): ToolSettings {
  return Object.fromEntries(
    StoredSettings.parse(JSON.parse(json)).map(([id, enabled, overrides, allowed]) => [
      id,
      { enabled: enabled === 1, is_always_on_override: overrides === 1, always_allowed: allowed === 1 },
    ]),
  );
}

/** What a user set for their turns, for a turn that was not begun by a request of theirs. */
export async function toolPreferences(db: Database, userId: string): Promise<ToolPreferences> {
  const [settings, defaults] = await Promise.all([selectToolSettings(db, userId), selectDefaults(db, userId)]);
  const { artifactsEnabled, hasCodegen, hasGmail, ...others } = defaults;
  return { settings: followingToggles(settings, { artifactsEnabled, hasCodegen, hasGmail }), ...others };
}

/** Whether a person has artifacts, the code agent's tools (connected, or shown all the same), and their Gmail connected. */
type Toggles = { artifactsEnabled: boolean; hasCodegen: boolean; hasGmail: boolean };

/** The settings of a turn: who switched artifacts off has none of their tools, and who has no code agent or Gmail none of its. */
export function followingToggles(settings: ToolSettings, { artifactsEnabled, hasCodegen, hasGmail }: Toggles): ToolSettings {
  const without = [...(artifactsEnabled ? [] : ARTIFACT_TOOLS), ...(hasCodegen ? [] : CODEGEN_TOOLS), ...(hasGmail ? [] : GMAIL_TOOLS)];
  if (without.length === 0) return settings;
  return { ...settings, ...Object.fromEntries(without.map((id) => [id, { ...UNSET, enabled: false, is_always_on_override: true }])) };
}

/** Changes what is given about the tools that are named, and answers all settings. */
export async function changeToolSettings(db: Database, userId: string, patches: Record<string, ToolSettingPatch>): Promise<ToolSettings> {
  const before = await selectToolSettings(db, userId);
  const changed = Object.fromEntries(
    Object.entries(patches).map(([id, patch]) => [id, patched(id, Object.hasOwn(before, id) ? before[id] : UNSET, patch)]),
  );
  await upsertToolSettings(db, userId, changed);
  return { ...before, ...changed };
}

function patched(toolId: string, before: ToolSetting = UNSET, patch: ToolSettingPatch): ToolSetting {
  const category = categoryOf(toolId);
  const switched = patch.enabled !== undefined && category ? switchTool(category, before, patch.enabled) : before;
  return {
    enabled: patch.enabled ?? switched.enabled,
    is_always_on_override: patch.is_always_on_override ?? switched.is_always_on_override,
    always_allowed: patch.always_allowed ?? before.always_allowed,
  };
}
