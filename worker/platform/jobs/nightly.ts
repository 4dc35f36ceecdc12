import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, enqueueAll, type Job, job } from "./job.ts";
import { claimPage, forgetNights, releasePage } from "./queries.ts";

/** Does a batch of a step after the place that the one before it came to, "" at first; answers how far it came, null once all is done. */
export type NightStep = (env: Env, after: string) => Promise<string | null>;

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** A message lives at most 15 minutes in a Worker: whatever claimed a page before that has ended, in milliseconds. */
const CLAIM_MS = 20 * 60_000;
/** Longer than a queue keeps a message of a night, in milliseconds. */
const NIGHT_RETENTION_MS = 30 * 24 * 60 * 60_000;

const Step = z.object({ night: z.string(), step: z.string(), page: z.number(), after: z.string() });
type Step = z.infer<typeof Step>;

/**
 * The job that does a batch of a step and queues the next one, so that however much there is to do takes more messages and none takes longer.
 * A message that failed does its batch again, as what it did is not found, or is done once more without harm; one that merely came twice
 * does nothing, as from there on all would be done twice.
 */
export function nightJobOf(steps: Record<string, NightStep>): Job<Step> {
  const nightJob: Job<Step> = job(
    "night.step",
    Step,
    async (env, { night, step, page, after }, attempt) => {
      const runStep = steps[step];
      // One of another build's may find that build again.
      if (!runStep) throw new Error("This build knows no such step");
      const db = openDatabase(env.DB);
      const claim = { mayRepeat: attempt > 1, now: ago(0), lost: ago(CLAIM_MS) };
      if (!(await claimPage(db, { night, step, page }, claim))) return;
      try {
        const next = await runStep(env, after);
        if (next !== null) await enqueue(env, nightJob, { night, step, page: page + 1, after: next });
      } catch (cause) {
        // A stuck job that somebody has tried again comes with a first attempt.
        await releasePage(db, { night, step, page });
        throw cause;
      }
    },
    "BULK",
  );
  return nightJob;
}

/** Queues a night's steps, each as a job of its own: what fails of one is tried again, and keeps none of the others from its night. */
export async function enqueueNight(
  env: Env,
  at: Date,
  { job: nightJob, steps }: { job: Job<Step>; steps: readonly string[] },
): Promise<void> {
  const night = at.toISOString();
  await enqueueAll(
    env,
    nightJob,
    steps.map((step) => ({ night, step, page: 0, after: "" })),
  );
}

/** Forgets a batch of the nights that no message belongs to any more; true where there may be more. */
export function forgetOldNights(env: Env): Promise<boolean> {
  return forgetNights(openDatabase(env.DB), ago(NIGHT_RETENTION_MS));
}
