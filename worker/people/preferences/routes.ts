import type { Hono } from "hono";
import { getPreferences, type Preferences, putPreferences } from "#shared/contracts/account/preferences.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { selectPreferences, updatePreferences } from "./queries.ts";

const DEFAULTS: Preferences = { defaultToolCategories: [], enableCodegen: false };

/** Mounts reading and replacing the caller's preferences. */
export function preferenceRoutes(app: Hono<AppContext>): void {
  serve(app, getPreferences, async ({ c, caller }) => ({
    preferences: (await selectPreferences(c.var.db, caller.userId)) ?? DEFAULTS,
  }));

  serve(app, putPreferences, async ({ c, caller, body }) => {
    await updatePreferences(c.var.db, caller.userId, body);
    return { preferences: body };
  });
}
