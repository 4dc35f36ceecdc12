import type { Hono } from "hono";
import { getToolSettings, listToolCategories, putToolSettings } from "#shared/contracts/tools.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import type { Features } from "#worker/conversation/features.ts";
import { categoriesOf } from "#worker/conversation/tools/available-categories.ts";
import { selectToolSettings, changeToolSettings } from "#worker/people/tool-settings/tool-settings.ts";

/** Mounts the categories of tools, and reading and changing what the caller set about single tools. */
export function toolSettingRoutes(app: Hono<AppContext>, features: Features): void {
  serve(app, listToolCategories, async ({ c, caller }) => ({
    categories: await categoriesOf({ env: c.env, db: c.var.db, features }, caller),
  }));

  serve(app, getToolSettings, async ({ c, caller }) => ({ settings: await selectToolSettings(c.var.db, caller.userId) }));

  serve(app, putToolSettings, async ({ c, caller, body }) => ({
    settings: await changeToolSettings(c.var.db, caller.userId, body.settings),
  }));
}
