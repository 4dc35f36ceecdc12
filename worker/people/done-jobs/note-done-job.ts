import type { Env } from "#worker/platform/env.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { DoneJob } from "./done-job.ts";

/** A user's hub, as notices know it. */
export interface NoticeHub extends Rpc.DurableObjectBranded {
  /** Takes the end of a job that went on without the user, who may be mailed about it. */
  noteDoneJob(job: DoneJob): Promise<void>;
}

/**
 * Mails a person that an import or an index of theirs is done, or failed, unless they look at the product within two minutes or want no such
 * mails; several within an hour are one mail. It may be called again for the same `id`, and does nothing then: a job that is repeated calls it again.
 */
export async function noteDoneJob(env: Env, userId: string, job: DoneJob): Promise<void> {
  await stubOf<NoticeHub>(env.USER_HUB, userId).noteDoneJob(job);
}
