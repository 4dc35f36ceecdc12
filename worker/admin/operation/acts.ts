import { AppError } from "../../app-error.ts";
import type { Database } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { approvePlans, refusePlans } from "../../invites/waiting-plans.ts";
import { resendJobs } from "../../jobs/failed-jobs.ts";
import { log } from "../../log.ts";
import { type Act, beginAct } from "../begin-act.ts";
import { deleteAnyInvite, hasFeedback, markForRetry, updateFeedback } from "./queries.ts";

/** Takes anybody's unused invite back. Throws NOT_FOUND. */
export async function takeInviteBack(env: Env, db: Database, act: Act): Promise<void> {
  if (!(await deleteAnyInvite(db, act.id, await beginAct(env, db, act)))) throw new AppError("NOT_FOUND");
}

/** Approves or refuses the plans that wait for a person. Throws NOT_FOUND where none waits any more. */
export async function decide(env: Env, db: Database, { decision, ...act }: Act & { decision: "approve" | "refuse" }): Promise<void> {
  const audited = await beginAct(env, db, act);
  const isDecided = await (decision === "approve" ? approvePlans : refusePlans)(env, db, { userId: act.id, audited });
  if (!isDecided) throw new AppError("NOT_FOUND", { message: "No plan waits for this person any more." });
}

/** Marks feedback as done, or open again. Throws NOT_FOUND. */
export async function markFeedback(env: Env, db: Database, { done, ...act }: Act & { done: boolean }): Promise<void> {
  const isChanged = await updateFeedback(db, act.id, { isDone: done, audited: await beginAct(env, db, act) });
  if (!isChanged && !(await hasFeedback(db, act.id))) throw new AppError("NOT_FOUND");
}

/** Sends a job again that its queue gave up. Throws NOT_FOUND. */
export async function retry(env: Env, db: Database, act: Act): Promise<void> {
  if (!(await markForRetry(db, act.id, await beginAct(env, db, act)))) throw new AppError("NOT_FOUND");
  try {
    await resendJobs(env);
  } catch (cause) {
    // It is marked, and the cron looks for marks every five minutes.
    log.error("a job was not sent anew at once", { id: act.id, cause });
  }
}
