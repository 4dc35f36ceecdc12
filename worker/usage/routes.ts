import type { Hono } from "hono";
import { getQuotas } from "#shared/contracts/quotas.ts";
import { STORAGE_BYTES } from "#shared/limits.ts";
import { downloadUsage, getUsage } from "#shared/contracts/usage.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { hubOf } from "../user-hub/stub.ts";
import { streamLedger } from "./ledger-csv.ts";

/** What was spent, from the caller's ledger, and what is left of their quotas. */
export function usageRoutes(app: Hono<AppContext>): void {
  serve(app, getUsage, ({ c, caller, query }) => hubOf(c.env, caller.userId).usage(query.by));

  serve(app, getQuotas, async ({ c, caller }) => ({
    storage: { used: await hubOf(c.env, caller.userId).storedBytes(), limit: STORAGE_BYTES },
  }));

  serve(app, downloadUsage, ({ c, caller }) => {
    const headers = { "content-type": "text/csv; charset=utf-8", "content-disposition": 'attachment; filename="polylogue-usage.csv"' };
    return new Response(streamLedger(c.env, caller.userId), { headers });
  });
}
