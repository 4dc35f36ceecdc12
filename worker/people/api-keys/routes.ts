import type { Hono } from "hono";
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from "#shared/contracts/account/api-keys.ts";
import { notifyOwner } from "#worker/people/alerts/alerts.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { closeSessions } from "#worker/people/sessions/sign-out.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { createKey, listKeys, sessionOf, updateKey } from "./api-keys.ts";
import { revokeKeyRow } from "./queries.ts";

export function apiKeyRoutes(app: Hono<AppContext>): void {
  serve(app, listApiKeys, async ({ c, caller }) => ({ keys: await listKeys(c.env, c.var.db, caller.userId) }));

  serve(app, createApiKey, async ({ c, caller, body }) => {
    const { isNew, ...made } = await createKey(c.env, c.var.db, { caller, ...body });
    if (isNew) notifyOwner(c, { userId: caller.userId, what: "key", detail: made.key.name });
    return made;
  });

  serve(app, updateApiKey, async ({ c, caller, params, body }) => ({
    key: await updateKey(c.env, c.var.db, { caller, id: params.id, ...body }),
  }));

  serve(app, deleteApiKey, async ({ c, caller, params }) => {
    const key = { userId: caller.userId, id: params.id };
    if (!(await revokeKeyRow(c.var.db, key, new Date().toISOString()))) throw new AppError("NOT_FOUND");
    await closeSessions(c.env, caller.userId, [sessionOf(params.id)]);
    return { ok: true as const };
  });
}
