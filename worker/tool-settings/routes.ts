import type { Hono } from "hono";
import { getToolSettings, listToolCategories, putToolSettings } from "#shared/contracts/tools.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { categoriesOf } from "../tools/working-categories.ts";
import { selectToolSettings } from "./queries.ts";
import { changeToolSettings } from "./tool-settings.ts";

/** Mounts the categories of tools, and reading and changing what the caller set about single tools. */
export function toolSettingRoutes(app: Hono<AppContext>): void {
  serve(app, listToolCategories, async ({ c, caller }) => ({ categories: await categoriesOf(c.env, c.var.db, caller) }));

  serve(app, getToolSettings, async ({ c, caller }) => ({ settings: await selectToolSettings(c.var.db, caller.userId) }));

  serve(app, putToolSettings, async ({ c, caller, body }) => ({
    settings: await changeToolSettings(c.var.db, caller.userId, body.settings),
  }));
}
