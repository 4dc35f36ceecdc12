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
import type { AppContext, Env } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { revokeInvite } from "#worker/people/invites/invites.ts";
import {
  hasFeedback,
  type LedgerLine,
  markForRetry,
  selectFeedback,
  selectInvites,
  selectJobKinds,
  selectJobs,
  selectLedger,
  updateFeedback,
} from "./queries.ts";
import { readOverview, readSpend } from "./spend.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { csvLine } from "#worker/conversation/usage/csv.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { approvePlans, listWaitingPlans, refusePlans } from "#worker/people/invites/waiting-plans.ts";
import { jobSubject, resendJobs } from "#worker/platform/jobs/failed-jobs.ts";
import { log } from "#worker/platform/log.ts";
import { type AdminAction, beginAdminAction } from "#worker/people/users/admin-action.ts";
import type { AnyInvite, FailedJob, FeedbackEntry } from "#shared/entities/operation.ts";
import type { WaitingPlan } from "#shared/entities/invite.ts";
import { ADMIN_PAGE } from "#shared/limits.ts";
import { planOf } from "#shared/plans.ts";
import { partsOf, toPage } from "../page.ts";

const ROWS_AT_ONCE = 1_000;
const HEADER = "day,person,email,team,model,calls,tokens,amount_usd\r\n";

/** Everybody's closed days as CSV (RFC 4180), of all time or of a month, the newest day first and a page at a time. */
function streamSpending(db: Database, { month }: { month?: string | undefined }): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const days = month === undefined ? { from: "", until: "9" } : { from: `${month}-01`, until: `${month}-99` };
  let after: LedgerLine | null = null;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(HEADER)),
    async pull(controller) {
      const lines = await selectLedger(db, { ...days, after, limit: ROWS_AT_ONCE });
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.map(toLine).join("")));
      if (lines.length < ROWS_AT_ONCE) controller.close();
      else after = lines.at(-1) ?? null;
    },
  });
}

/** Whoever's account is gone has no name any more; what belongs to no team names none. */
function toLine({ day, user_id: id, name, email, team_id: teamId, team, model_id: model, calls, tokens, cost_micros: micros }: LedgerLine) {
  const cells = [day, name ?? id, email ?? "", team ?? teamId, model, String(calls), String(tokens), fromMicros(micros).toFixed(6)];
  return csvLine(cells);
}

const DONE = { ok: true as const };

/** Mounts what administrators see of the product's operation, and their acts there. */
export function operationRoutes(app: Hono<AppContext>): void {
  serve(app, getOverview, ({ c }) => readOverview(c.var.db));

  serve(app, listAllInvites, ({ c, query }) => readAllInvites(c.var.db, query));

  serve(app, returnAnyInvite, async ({ c, caller, params }) => {
    await revokeInvite(c.env, c.var.db, { caller, ...params });
    return DONE;
  });

  serve(app, listPlans, ({ c, query }) => readPlans(c.var.db, query));

  serve(app, decidePlans, async ({ c, caller, params, body }) => {
    await decideWaitingPlans(c.env, c.var.db, { caller, ...params, ...body });
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
    await retryFailedJob(c.env, c.var.db, { caller, id: params.jobId });
    return DONE;
  });
}

/** Approves or refuses the plans that wait for a person. Throws NOT_FOUND where none waits any more. */
async function decideWaitingPlans(
  env: Env,
  db: Database,
  { decision, ...action }: AdminAction & { decision: "approve" | "refuse" },
): Promise<void> {
  const audited = await beginAdminAction(env, db, action);
  const isDecided = await (decision === "approve" ? approvePlans : refusePlans)(env, db, { userId: action.id, audited });
  if (!isDecided) throw new AppError("NOT_FOUND", { message: "No plan waits for this person any more." });
}

/** Marks feedback as done, or open again. Throws NOT_FOUND. */
async function markFeedback(env: Env, db: Database, { done, ...action }: AdminAction & { done: boolean }): Promise<void> {
  const isChanged = await updateFeedback(db, action.id, { isDone: done, audited: await beginAdminAction(env, db, action) });
  if (!isChanged && !(await hasFeedback(db, action.id))) throw new AppError("NOT_FOUND");
}

/** Sends a job again that its queue gave up. Throws NOT_FOUND. */
async function retryFailedJob(env: Env, db: Database, action: AdminAction): Promise<void> {
  if (!(await markForRetry(db, action.id, await beginAdminAction(env, db, action)))) throw new AppError("NOT_FOUND");
  try {
    await resendJobs(env);
  } catch (cause) {
    // It is marked, and the cron looks for marks every five minutes.
    log.error("a job was not sent anew at once", { id: action.id, cause });
  }
}

type Asked = { cursor?: string | undefined };

/** As many rows as a page holds and one more, below where the one before ended. */
function pageOf(cursor: string | undefined) {
  const [at = "", id = ""] = cursor === undefined ? [] : partsOf(cursor, 2);
  return { after: cursor === undefined ? null : { at, id }, limit: ADMIN_PAGE + 1 };
}

/** A page of everybody's invites. */
async function readAllInvites(db: Database, { cursor }: Asked): Promise<{ invites: AnyInvite[]; nextCursor: string | null }> {
  const rows = await selectInvites(db, pageOf(cursor));
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ invite }) => `${invite.created_at}~${invite.id}` });
  const invites = page.map(({ invite, teamName, usedAt, maker, user }) => {
    const { id, code, created_at, sent_to, auto_activate } = invite;
    const made = { id, code, created_at, sent_to, auto_activate, created_by: maker, used_at: usedAt, used_by: user };
    return { ...made, plan: planOf(invite), team_name: teamName, initial_credits: fromMicros(invite.initial_credits_micros) };
  });
  return { invites, nextCursor };
}

/** A page of the plans that wait for approval. */
async function readPlans(db: Database, { cursor }: Asked): Promise<{ plans: WaitingPlan[]; nextCursor: string | null }> {
  const { after, limit } = pageOf(cursor);
  const rows = await listWaitingPlans(db, { after: after && { used_at: after.at, invite_id: after.id }, limit });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ used_at, invite_id }) => `${used_at}~${invite_id}` });
  return { plans: page, nextCursor };
}

/** A page of what people wrote to the operator. */
async function readFeedback(
  db: Database,
  { state, cursor }: Asked & { state: "open" | "done" },
): Promise<{ feedback: FeedbackEntry[]; nextCursor: string | null }> {
  const rows = await selectFeedback(db, { ...pageOf(cursor), isDone: state === "done" });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ created_at, id }) => `${created_at}~${id}` });
  return { feedback: page, nextCursor };
}

/** A page of failed jobs, each with its cause. */
async function readJobs(
  db: Database,
  { state, cursor }: Asked & { state: "stuck" | "trying" },
): Promise<{ jobs: FailedJob[]; nextCursor: string | null }> {
  const rows = await selectJobs(db, { ...pageOf(cursor), isStuck: state === "stuck" });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ failed_at, id }) => `${failed_at}~${id}` });
  const jobs = page.map(({ payload, error_name: name, error_message: message, ...job }) => {
    const about = Object.fromEntries(Object.entries(jobSubject(payload)).map(([field, value]) => [field, [value].flat().join(", ")]));
    return { ...job, about, cause: name === null ? null : `${name}: ${message ?? ""}` };
  });
  return { jobs, nextCursor };
}
