import * as z from "zod/mini";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { clearFailure, recordDeadJobs, recordFailure } from "./failed-jobs.ts";
import type { Job, QueueName } from "./job.ts";

const Message = z.object({ kind: z.string() });

/** A queue by its name's end, as a second copy's begins otherwise (scripts/lib/deploy/copy.ts). */
const NAME = /-(jobs|reads|bulk)(-dead)?$/;
const QUEUES = { jobs: "JOBS", reads: "READS", bulk: "BULK" } as const;

/** The deployment in which bulk work asks for more: whatever that is, nobody waits for it either. */
const inBulk = new WeakMap<Env, Env>();

function bulkOf(env: Env): Env {
  const known = inBulk.get(env) ?? { ...env, JOBS: env.BULK, READS: env.BULK };
  inBulk.set(env, known);
  return known;
}

/** The jobs that there are, and the job that a message from elsewhere stands for, as the platform's own events of mail. */
type Known = { jobs: readonly Pick<Job<object>, "kind" | "receive">[]; jobOf: (body: unknown) => unknown };

/** Runs a batch of jobs, each settled by itself: a failed one comes again, the others do not. Every job may come more than once. */
export async function runBatch(batch: MessageBatch, env: Env, { jobs, jobOf }: Known): Promise<void> {
  const { queue, isDead } = queueOf(batch);
  const messages = batch.messages.map((message) => ({
    body: jobOf(message.body),
    attempts: message.attempts,
    ack: () => message.ack(),
    retry: () => message.retry(),
  }));
  if (isDead) return recordDeadJobs(messages, env, queue);
  const deployment = queue === "BULK" ? bulkOf(env) : env;
  for (const message of messages) {
    const { data } = Message.safeParse(message.body);
    try {
      // One of another build's may find that build again.
      const known = jobs.find(({ kind }) => kind === data?.kind);
      if (!known) throw new Error("This build knows no such job");
      await known.receive(deployment, message.body, message.attempts);
      if (message.attempts > 1) await clearFailure(env, message.body);
      message.ack();
    } catch (cause) {
      // The queue tries again, as often as wrangler.jsonc says, and then hands this one alone to its dead-letter queue.
      await recordFailure(env, message, { queue, cause });
      log.error("job failed", { kind: data?.kind, attempt: message.attempts, cause });
      message.retry();
    }
  }
}

function queueOf({ queue }: MessageBatch): { queue: QueueName; isDead: boolean } {
  const [, name, dead] = NAME.exec(queue) ?? [];
  return { queue: name === "reads" || name === "bulk" ? QUEUES[name] : QUEUES.jobs, isDead: dead !== undefined };
}
