import { expect, it } from "vitest";
import { isTimeZone } from "#shared/time-zone.ts";
import { triggeredSettings } from "#shared/tools/triggered-settings.ts";

const NOTHING = {
  model_allowlist: null,
  triggered_model: null,
  triggered_tool_categories: null,
  triggered_system_prompt_id: null,
  triggered_context_ids: null,
  triggered_autopilot_enabled: false,
};
const CHOSEN = {
  triggered_model: "maker/model",
  triggered_tool_categories: ["synthesis"],
  triggered_system_prompt_id: "persona",
  triggered_context_ids: ["entry"],
};
const AUTO = { id: "auto", name: "Auto" };

it.each([
  ["nothing chosen", {}, { model_id: null, persona_id: null, tool_categories: [], context_ids: [] }],
  ["all chosen", CHOSEN, { model_id: "maker/model", persona_id: "persona", tool_categories: ["synthesis"], context_ids: ["entry"] }],
  [
    "Autopilot, whatever was chosen",
    { ...CHOSEN, triggered_autopilot_enabled: true },
    { model_id: "autopilot", persona_id: "persona", tool_categories: [], context_ids: ["entry"] },
  ],
  ["no persona", { triggered_system_prompt_id: "" }, { model_id: null, persona_id: "", tool_categories: [], context_ids: [] }],
  [
    "a model that is allowed",
    { triggered_model: "maker/model", model_allowlist: [AUTO, { id: "maker/model", name: "Model" }] },
    { model_id: "maker/model", persona_id: null, tool_categories: [], context_ids: [] },
  ],
  [
    "a model that left the allowlist",
    { triggered_model: "maker/model", model_allowlist: [AUTO] },
    { model_id: null, persona_id: null, tool_categories: [], context_ids: [] },
  ],
])("a triggered message is sent with its person's settings: %s", (_what, fields, settings) => {
  expect(triggeredSettings({ ...NOTHING, ...fields })).toEqual(settings);
});

it.each([
  ["Europe/Berlin", true],
  ["America/Argentina/Buenos_Aires", true],
  ["Asia/Calcutta", true],
  ["UTC", true],
  ["Etc/GMT+5", true],
  ["", false],
  ["Mars/Olympus", false],
  ["+02:00", false],
  ["Europe/Berlin ", false],
  ["../etc/passwd", false],
])("a time zone: %j: %j", (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
