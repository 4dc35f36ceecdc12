import * as z from "zod/mini";
import { ToolSettings } from "../entities/tool-setting.ts";
import { TOOL_ID_LENGTH, TOOL_LIST_LENGTH } from "../limits.ts";
import { endpoint } from "./endpoint.ts";

/** The id of a tool or of a category. */
const ToolId = z.string().check(z.maxLength(TOOL_ID_LENGTH), z.regex(/^[A-Za-z0-9_.:/-]+$/, "Not the id of a tool."));

/** Categories of tools by id; one that doesn't exist here has no effect. */
export const ToolCategoryIds = z.array(ToolId).check(z.maxLength(TOOL_LIST_LENGTH, "That list is too long."));

/** What is not given of a setting stays; a tool of an always-on category is switched by overriding that, as nothing else would have an effect. */
const ToolSettingPatch = z.partial(z.object({ enabled: z.boolean(), is_always_on_override: z.boolean(), always_allowed: z.boolean() }));
export type ToolSettingPatch = z.infer<typeof ToolSettingPatch>;

const ToolSettingPatches = z
  .record(ToolId, ToolSettingPatch)
  .check(z.refine((settings) => Object.keys(settings).length <= TOOL_LIST_LENGTH, "That list is too long."));

export const getToolSettings = endpoint("GET", "/api/user/tool-settings", {
  summary: "What the caller set about single tools, by tool id; a tool that isn't named is enabled",
  access: "user",
  response: z.object({ settings: ToolSettings }),
});

export const putToolSettings = endpoint("PUT", "/api/user/tool-settings", {
  summary: "Set what is given about the tools that are named; answers all settings",
  access: "user",
  body: z.object({ settings: ToolSettingPatches }),
  response: z.object({ settings: ToolSettings }),
});
