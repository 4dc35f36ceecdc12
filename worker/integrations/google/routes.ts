import type { Context, Hono } from "hono";
import { connectGoogle, disconnectGoogle, finishGoogleConnect, getGoogleStatus } from "#shared/contracts/outbound/google.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type AppContext, type Caller, configOf } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import { connectionStatus, disconnect } from "./connection.ts";
import { beginConnecting, finishConnecting } from "./sign-in.ts";

export function googleRoutes(app: Hono<AppContext>): void {
  serve(app, getGoogleStatus, ({ c, caller }) => {
    // What is not set up is nowhere.
    if (configOf(c.env).google.features.length === 0) throw new AppError("NOT_FOUND");
    return connectionStatus(placeOf(c, caller));
  });

  serve(app, disconnectGoogle, async ({ c, caller }) => {
    await disconnect(placeOf(c, caller));
    notifyTabs(c, "tools", caller.userId);
    return { ok: true as const };
  });

  serve(app, connectGoogle, ({ c, caller, query }) => beginConnecting(c, caller, query));

  serve(app, finishGoogleConnect, async ({ c, caller, query }) => {
    const response = await finishConnecting(c, caller, query);
    if (caller) notifyTabs(c, "tools", caller.userId);
    return response;
  });
}

function placeOf(c: Context<AppContext>, { userId }: Caller) {
  return { env: c.env, db: c.var.db, userId };
}
