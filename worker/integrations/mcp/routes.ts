import type { Context, Hono } from "hono";
import {
  acceptMcpTools,
  createMcpConnection,
  deleteMcpConnection,
  finishMcpSignIn,
  getMcpClient,
  listMcpConnections,
  signInToMcp,
  testMcpConnection,
  updateMcpConnection,
} from "#shared/contracts/library/mcp-connections.ts";
import { FRESH_OWN_MIN } from "#shared/limits.ts";
import { requireFreshSignIn } from "#worker/people/sessions/fresh-sign-in.ts";
import type { AppContext, Caller } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import { acceptTools, addConnection, changeConnection, readConnections, removeConnection, testConnection } from "./connections.ts";
import { clientDocument } from "./client-document.ts";
import { beginSignIn, finishSignIn } from "./sign-in.ts";

export function mcpRoutes(app: Hono<AppContext>): void {
  serve(app, listMcpConnections, async ({ c, caller }) => ({ connections: await readConnections(placeOf(c, caller)) }));

  serve(app, createMcpConnection, async ({ c, caller, body }) => {
    const connection = await addConnection(placeOf(c, caller), body);
    notifyTabs(c, "tools", caller.userId);
    return { connection };
  });

  serve(app, testMcpConnection, ({ c, caller, body }) => testConnection(placeOf(c, caller), body));

  serve(app, updateMcpConnection, async ({ c, caller, params, body }) => {
    // Who switches it off, or trusts it no more, takes power away.
    const takesAway = Object.entries(body).every(([name, value]) => (name === "enabled" || name === "trusted") && value === false);
    if (!takesAway) await requireFreshSignIn(c.var.db, caller, FRESH_OWN_MIN);
    const connection = await changeConnection(placeOf(c, caller), params.id, body);
    notifyTabs(c, "tools", caller.userId);
    return { connection };
  });

  serve(app, deleteMcpConnection, async ({ c, caller, params }) => {
    await removeConnection(placeOf(c, caller), params.id);
    notifyTabs(c, "tools", caller.userId);
    return { ok: true } as const;
  });

  serve(app, acceptMcpTools, async ({ c, caller, params, body }) => {
    const connection = await acceptTools(placeOf(c, caller), params.id, body.seen);
    notifyTabs(c, "tools", caller.userId);
    return { connection };
  });

  serve(app, signInToMcp, async ({ c, caller, params }) => ({
    url: await beginSignIn({ ...placeOf(c, caller), origin: ownOrigin(c), sessionId: caller.sessionId }, params.id),
  }));

  serve(app, finishMcpSignIn, async ({ c, caller, query }) => {
    const place = { ...placeOf(c, caller), origin: ownOrigin(c), sessionId: caller.sessionId };
    const outcome = await finishSignIn(place, query);
    notifyTabs(c, "tools", caller.userId);
    return c.redirect(`/?settings=tools&mcp=${outcome}`, 303);
  });

  serve(app, getMcpClient, ({ c }) => clientDocument(ownOrigin(c)));
}

function placeOf(c: Context<AppContext>, { userId }: Caller) {
  return { env: c.env, db: c.var.db, userId, ownHost: new URL(c.req.url).hostname };
}
