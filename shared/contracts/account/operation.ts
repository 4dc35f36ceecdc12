import * as z from "zod/mini";
import { WaitingPlan } from "#shared/entities/invite.ts";
import { AnyInvite, FailedJob, FeedbackEntry, JobKind, SecurityCount, Spent } from "#shared/entities/operation.ts";
import { AdminCursor, AdminParams, OptionalReason } from "./admin.ts";
import { Ok } from "./auth.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const nextCursor = z.nullable(z.string());

export const getOverview = endpoint("GET", "/api/admin/overview", {
  summary: "How many people there are, what they spent, and what waits for an administrator",
  access: "admin",
  response: z.object({
    /** Accounts, counted up to a limit; `areMore` where there are more. */
    accounts: z.object({ count: z.number(), areMore: z.boolean() }),
    /** Accounts and guests that were seen since midnight of UTC, counted alike. */
    today: z.object({ count: z.number(), areMore: z.boolean() }),
    month: z.string(),
    /** US dollars on the closed days of this month, and on as many of the month before. */
    spent: z.number(),
    spent_before: z.number(),
    stuck_jobs: z.number(),
    waiting_plans: z.number(),
    open_feedback: z.number(),
    /** Security events that happened in the last seven days, each kind with how often, and how often today. */
    security: z.array(SecurityCount),
  }),
});

export const listAllInvites = endpoint("GET", "/api/admin/invites", {
  summary: "Everybody's invites, newest first, and who used them",
  access: "admin",
  query: z.object({ cursor: AdminCursor }),
  response: z.object({ invites: z.array(AnyInvite), nextCursor }),
});

export const returnAnyInvite = endpoint("DELETE", "/api/admin/invites/:id", {
  summary: "Take anybody's unused invite back",
  access: "admin",
  params: AdminParams,
  response: Ok,
});

export const listPlans = endpoint("GET", "/api/admin/plans", {
  summary: "Plans that wait for approval, the longest-waiting first",
  access: "admin",
  query: z.object({ cursor: AdminCursor }),
  response: z.object({ plans: z.array(WaitingPlan), nextCursor }),
});

export const decidePlans = endpoint("POST", "/api/admin/plans/:id", {
  summary: "Approve or refuse the plans that wait for a person, named by their id; their credits stay either way",
  access: "admin",
  repeat: "spent",
  params: AdminParams,
  body: z.object({ decision: z.enum(["approve", "refuse"]), reason: OptionalReason }),
  response: Ok,
});

export const listFeedback = endpoint("GET", "/api/admin/feedback", {
  summary: "What people wrote to the operator, newest first: what is open, or what is done",
  access: "admin",
  query: z.object({ state: z._default(z.enum(["open", "done"]), "open"), cursor: AdminCursor }),
  response: z.object({ feedback: z.array(FeedbackEntry), nextCursor }),
});

export const settleFeedback = endpoint("PUT", "/api/admin/feedback/:id", {
  summary: "Mark what somebody wrote as done, or open again",
  access: "admin",
  params: AdminParams,
  body: z.object({ done: z.boolean() }),
  response: Ok,
});

const Month = z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, "A month is a year and its number, such as 2026-11."));

export const getSpend = endpoint("GET", "/api/admin/spend", {
  summary: "What everybody spent on the closed days of a month, by model and by day",
  access: "admin",
  query: z.object({ month: z.optional(Month) }),
  response: z.object({ month: z.string(), total: z.number(), models: z.array(Spent), days: z.array(Spent) }),
});

export const downloadLedger = endpoint("GET", "/api/admin/ledger.csv", {
  summary: "What everybody spent on closed days, of all time or of a month: a line for each day, person, team and model, as CSV",
  access: "admin",
  query: z.object({ month: z.optional(Month) }),
});

export const listJobs = endpoint("GET", "/api/admin/jobs", {
  summary: "Failed jobs with their cause, last failed first: dead letters, or what a queue tries again by itself",
  access: "admin",
  query: z.object({ state: z._default(z.enum(["stuck", "trying"]), "stuck"), cursor: AdminCursor }),
  response: z.object({ jobs: z.array(FailedJob), nextCursor }),
});

export const listJobKinds = endpoint("GET", "/api/admin/queues", {
  summary: "How many jobs of each kind fail, and how many their queue gave up",
  access: "admin",
  response: z.object({ kinds: z.array(JobKind) }),
});

export const retryJob = endpoint("POST", "/api/admin/jobs/:jobId/retry", {
  summary: "Send a job anew that its queue gave up",
  access: "admin",
  repeat: "spent",
  params: z.object({ jobId: z.string().check(z.regex(/^[0-9a-f]{12}$/)) }),
  body: z.object({}),
  response: Ok,
});
