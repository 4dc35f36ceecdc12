import type { Hono } from "hono";
import {
  deleteAccountExport,
  downloadAccountExport,
  getAccountExport,
  startAccountExport,
} from "#shared/contracts/account/account-export.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { enqueue } from "../jobs/job.ts";
import { deleteExport, finishedExport, newestExport, startExport } from "./account-export.ts";
import { downloadExport } from "./download.ts";
import { accountExportJob } from "./job.ts";

/** Mounts the caller's export of everything they have. */
export function accountExportRoutes(app: Hono<AppContext>): void {
  serve(app, getAccountExport, async ({ c, caller }) => ({ export: await newestExport(c.var.db, caller.userId) }));

  serve(app, startAccountExport, async ({ c, caller, body }) => {
    const started = await startExport(c.env, c.var.db, { id: body.id, userId: caller.userId });
    // Sent again for a request that comes again: the first may have ended before this, and a step is kept once.
    if (started.state === "running") await enqueue(c.env, accountExportJob, { exportId: started.id, step: 0 });
    return { export: started };
  });

  serve(app, downloadAccountExport, async ({ c, caller, params }) => {
    const row = await finishedExport(c.var.db, { id: params.id, userId: caller.userId });
    return downloadExport(c.env, row, { range: c.req.header("range"), ifRange: c.req.header("if-range") });
  });

  serve(app, deleteAccountExport, async ({ c, caller, params }) => {
    await deleteExport(c.env, c.var.db, { id: params.id, userId: caller.userId });
    return { ok: true as const };
  });
}
