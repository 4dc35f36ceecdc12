import type { Hono } from "hono";
import { getCallSettings, putCallSettings } from "#shared/contracts/outbound/phone.ts";
import { AppError } from "../app-error.ts";
import { type AppContext, configOf, type Env } from "../env.ts";
import { serve } from "../http/serve.ts";
import { callRules, setCallRules } from "./call-settings.ts";

/** Mounts when a person's chats may call somebody. */
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
