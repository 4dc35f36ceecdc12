import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { enqueueAll } from "#worker/platform/jobs/job.ts";
import { handleMessagesJob } from "./handle-messages.ts";
import { selectLeft } from "./queries.ts";

/** What waits longer than so many milliseconds was left by a job that died, or has none. */
const LEFT_MS = 2 * 60_000;
/** People of one call of the queue. */
const PEOPLE = 100;

/** Has messages worked off whose jobs died. */
export async function resumeMessages(env: Env): Promise<void> {
  if (!configOf(env).whatsapp) return;
  const userIds = await selectLeft(openDatabase(env.DB), Date.now() - LEFT_MS, PEOPLE);
  const people = userIds.map((userId) => ({ userId }));
  if (people.length > 0) await enqueueAll(env, handleMessagesJob, people);
}
