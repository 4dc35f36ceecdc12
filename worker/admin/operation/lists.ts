import type { AnyInvite, FailedJob, FeedbackEntry } from "#shared/entities/operation.ts";
import type { WaitingPlan } from "#shared/entities/invite.ts";
import { ADMIN_PAGE } from "#shared/limits.ts";
import { planOf } from "#shared/plans.ts";
import { fromMicros } from "../../credits/money.ts";
import type { Database } from "../../db/client.ts";
import { listWaitingPlans } from "../../invites/waiting-plans.ts";
import { namesIn } from "../../jobs/failed-jobs.ts";
import { partsOf, toPage } from "../page.ts";
import { selectFeedback, selectInvites, selectJobs } from "./queries.ts";

type Asked = { cursor?: string | undefined };

/** As many rows as a page holds and one more, below where the one before ended. */
function pageOf(cursor: string | undefined) {
  const [at = "", id = ""] = cursor === undefined ? [] : partsOf(cursor, 2);
  return { after: cursor === undefined ? null : { at, id }, limit: ADMIN_PAGE + 1 };
}

/** A page of everybody's invites. */
export async function readAllInvites(db: Database, { cursor }: Asked): Promise<{ invites: AnyInvite[]; nextCursor: string | null }> {
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
export async function readPlans(db: Database, { cursor }: Asked): Promise<{ plans: WaitingPlan[]; nextCursor: string | null }> {
  const { after, limit } = pageOf(cursor);
  const rows = await listWaitingPlans(db, { after: after && { used_at: after.at, invite_id: after.id }, limit });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ used_at, invite_id }) => `${used_at}~${invite_id}` });
  return { plans: page, nextCursor };
}

/** A page of what people wrote to the operator. */
export async function readFeedback(
  db: Database,
  { state, cursor }: Asked & { state: "open" | "done" },
): Promise<{ feedback: FeedbackEntry[]; nextCursor: string | null }> {
  const rows = await selectFeedback(db, { ...pageOf(cursor), isDone: state === "done" });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ created_at, id }) => `${created_at}~${id}` });
  return { feedback: page, nextCursor };
}

/** A page of failed jobs, each with its cause. */
export async function readJobs(
  db: Database,
  { state, cursor }: Asked & { state: "stuck" | "trying" },
): Promise<{ jobs: FailedJob[]; nextCursor: string | null }> {
  const rows = await selectJobs(db, { ...pageOf(cursor), isStuck: state === "stuck" });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ failed_at, id }) => `${failed_at}~${id}` });
  const jobs = page.map(({ payload, error_name: name, error_message: message, ...job }) => {
    const about = Object.fromEntries(Object.entries(namesIn(payload)).map(([field, value]) => [field, [value].flat().join(", ")]));
    return { ...job, about, cause: name === null ? null : `${name}: ${message ?? ""}` };
  });
  return { jobs, nextCursor };
}
