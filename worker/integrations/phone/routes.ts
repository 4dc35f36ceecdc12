import type { Hono } from "hono";
import { getCallSettings, putCallSettings } from "#shared/contracts/outbound/phone.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { callRules, setCallRules } from "./call-settings.ts";

export function phoneRoutes(app: Hono<AppContext>): void {
  serve(app, getCallSettings, ({ c, caller }) => {
    requirePhone(c.env);
    return callRules(c.env, caller.userId);
  });

  serve(app, putCallSettings, ({ c, caller, body }) => {
    requirePhone(c.env);
    return setCallRules(c.env, caller.userId, body);
  });
}

/** What has no key is nowhere. */
function requirePhone(env: Env): void {
  if (configOf(env).phone.key === undefined) throw new AppError("NOT_FOUND");
}
