import type { Hono } from "hono";
import {
  decidePlans,
  downloadLedger,
  getOverview,
  getSpend,
  listAllInvites,
  listFeedback,
  listJobKinds,
  listJobs,
  listPlans,
  retryJob,
  returnAnyInvite,
  settleFeedback,
} from "#shared/contracts/account/operation.ts";
import type { AppContext } from "../../env.ts";
import { serve } from "../../http/serve.ts";
import { decide, markFeedback, retry, takeInviteBack } from "./acts.ts";
import { streamSpending } from "./ledger-csv.ts";
import { readAllInvites, readFeedback, readJobs, readPlans } from "./lists.ts";
import { selectJobKinds } from "./queries.ts";
import { readOverview, readSpend } from "./spend.ts";

const DONE = { ok: true as const };

/** Mounts what administrators see of the product's operation, and their acts there. */
export function operationRoutes(app: Hono<AppContext>): void {
  serve(app, getOverview, ({ c }) => readOverview(c.var.db));

  serve(app, listAllInvites, ({ c, query }) => readAllInvites(c.var.db, query));

  serve(app, returnAnyInvite, async ({ c, caller, params }) => {
    await takeInviteBack(c.env, c.var.db, { caller, ...params });
    return DONE;
  });

  serve(app, listPlans, ({ c, query }) => readPlans(c.var.db, query));

  serve(app, decidePlans, async ({ c, caller, params, body }) => {
    await decide(c.env, c.var.db, { caller, ...params, ...body });
    return DONE;
  });

  serve(app, listFeedback, ({ c, query }) => readFeedback(c.var.db, query));

  serve(app, settleFeedback, async ({ c, caller, params, body }) => {
    await markFeedback(c.env, c.var.db, { caller, ...params, ...body });
    return DONE;
  });

  serve(app, getSpend, ({ c, query }) => readSpend(c.var.db, query));

  serve(app, downloadLedger, ({ c, query }) => {
    const name = query.month === undefined ? "ledger" : `ledger-${query.month}`;
    const headers = { "content-type": "text/csv; charset=utf-8", "content-disposition": `attachment; filename="${name}.csv"` };
    return new Response(streamSpending(c.var.db, query), { headers });
  });

  serve(app, listJobs, ({ c, query }) => readJobs(c.var.db, query));

  serve(app, listJobKinds, async ({ c }) => ({ kinds: await selectJobKinds(c.var.db) }));

  serve(app, retryJob, async ({ c, caller, params }) => {
    await retry(c.env, c.var.db, { caller, id: params.jobId });
    return DONE;
  });
}
