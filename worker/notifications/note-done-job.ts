import type { Env } from "../env.ts";
import { hubOf } from "../user-hub/stub.ts";
import type { DoneJob } from "./done-job.ts";

/**
 * Mails a person that an import or an index of theirs is done, or failed, unless they look at the product within two minutes or want no such
 * mails; several within an hour are one mail. It may be called again for the same `id`, and does nothing then: a job that is repeated calls it again.
 */
export async function noteDoneJob(env: Env, userId: string, job: DoneJob): Promise<void> {
  await hubOf(env, userId).noteDoneJob(job);
}
