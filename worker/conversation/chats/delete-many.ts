import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { deleteChat } from "./delete-chat.ts";

/** Chats deleted at the same time, and in one run of the job: each takes a handful of the run's requests. */
const AT_ONCE = 5;
const A_RUN = 50;
/** How long, in seconds, chats rest that could not be deleted. */
const REST_SECONDS = 15;

/** Goes on with a deletion of many chats, some of them in a run, and queues the next run; the hub knows what is left, so a repeat is harmless. */
export const deleteManyJob = job("chats.delete", z.object({ userId: z.string(), jobId: z.string() }), async (env, { userId, jobId }) => {
  const hub = hubOf(env, userId);
  const ids = await hub.nextDoomed(jobId, A_RUN);
  let hasFailed = false;
  for (let next = 0; next < ids.length; next += AT_ONCE) {
    const part = ids.slice(next, next + AT_ONCE);
    const outcomes = await Promise.all(part.map((chatId) => deleteOne(env, userId, chatId)));
    const those = (fate: DeletionOutcome) => part.filter((_, index) => outcomes[index] === fate);
    hasFailed ||= outcomes.includes("failed");
    await hub.settleDoomed(jobId, { done: those("done"), failed: those("failed"), refused: those("refused") });
  }
  if (ids.length < A_RUN && !hasFailed) return;
  await enqueue(env, deleteManyJob, { userId, jobId }, hasFailed ? { delaySeconds: REST_SECONDS } : {});
});

type DeletionOutcome = "done" | "failed" | "refused";

async function deleteOne(env: Env, userId: string, chatId: string): Promise<DeletionOutcome> {
  try {
    await deleteChat(env, openDatabase(env.DB), { caller: { userId }, chatId });
    return "done";
  } catch (cause) {
    if (cause instanceof AppError) return "refused";
    log.error("a chat of many was not deleted", { cause });
    return "failed";
  }
}
