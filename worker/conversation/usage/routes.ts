import type { Hono } from "hono";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { CONNECTIONS_MAX } from "#shared/live-limits.ts";
import { STORAGE_BYTES } from "#shared/limits.ts";
import { downloadUsage, getUsage } from "#shared/contracts/account/usage.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { streamLedger } from "./ledger-csv.ts";

/** What was spent, from the caller's ledger, and what is left of their quotas. */
export function usageRoutes(app: Hono<AppContext>): void {
  serve(app, getUsage, ({ c, caller, query }) => hubOf(c.env, caller.userId).usage(query.by));

  serve(app, getQuotas, async ({ c, caller }) => {
    const hub = hubOf(c.env, caller.userId);
    const [bytes, connections] = await Promise.all([hub.storedBytes(), hub.connections()]);
    return { storage: { used: bytes, limit: STORAGE_BYTES }, connections: { used: connections, limit: CONNECTIONS_MAX } };
  });

  serve(app, downloadUsage, ({ c, caller }) => {
    const headers = { "content-type": "text/csv; charset=utf-8", "content-disposition": 'attachment; filename="polylogue-usage.csv"' };
    return new Response(streamLedger(c.env, caller.userId), { headers });
  });
}
