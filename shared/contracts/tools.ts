import * as z from "zod/mini";
import { ToolId } from "../entities/ids.ts";
import { ToolCategory } from "../entities/tool-category.ts";
import { ToolSettings } from "../entities/tool-setting.ts";
import { TOOL_LIST_LENGTH } from "../limits.ts";
import { endpoint } from "./endpoint.ts";

/** What is not given of a setting stays; a tool of an always-on category is switched by overriding that, as nothing else would have an effect. */
const ToolSettingPatch = z.partial(z.object({ enabled: z.boolean(), is_always_on_override: z.boolean(), always_allowed: z.boolean() }));
export type ToolSettingPatch = z.infer<typeof ToolSettingPatch>;

const ToolSettingPatches = z
  .record(ToolId, ToolSettingPatch)
  .check(z.refine((settings) => Object.keys(settings).length <= TOOL_LIST_LENGTH, "That list is too long."));

export const listToolCategories = endpoint("GET", "/api/tool-categories", {
  summary:
    "The categories of tools that work here, in their order, then those of the caller's own connections; one whose service the deployment lacks is not among them",
  access: "anyone",
  response: z.object({ categories: z.array(ToolCategory) }),
});

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
