import type { Hono } from "hono";
import { downloadTeamUsage, getTeamUsage, listOwnTeamUsage, updateTeamBudgets } from "#shared/contracts/account/team-usage.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { changeBudgets } from "./budgets.ts";
import { exportTeamUsage, readOwnTeamUsage, readTeamUsage } from "./team-usage.ts";

/** Mounts what teams cost, and their budgets. */
export function teamUsageRoutes(app: Hono<AppContext>): void {
  serve(app, getTeamUsage, async ({ c, caller, params, query }) => ({
    usage: await readTeamUsage(c.env, c.var.db, caller, { teamId: params.id, month: query.month, withToday: query.today === "true" }),
  }));

  serve(app, downloadTeamUsage, async ({ c, caller, params, query }) => {
    const csv = await exportTeamUsage(c.var.db, caller, { teamId: params.id, month: query.month });
    const headers = { "content-type": "text/csv; charset=utf-8", "content-disposition": 'attachment; filename="team-usage.csv"' };
    return new Response(csv, { headers });
  });

  serve(app, updateTeamBudgets, async ({ c, caller, params, body }) => {
    await changeBudgets(c.env, c.var.db, caller, params.id, body);
    return { ok: true } as const;
  });

  serve(app, listOwnTeamUsage, async ({ c, caller }) => ({ teams: await readOwnTeamUsage(c.env, c.var.db, caller) }));
}
