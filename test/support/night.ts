import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as z from "zod/mini";
import type { Env } from "#worker/platform/env.ts";
import worker from "#worker/index.ts";
import { overrideMethods } from "./override-methods.ts";

const DAY_MS = 24 * 60 * 60_000;

let nights = 0;

const Step = z.object({ kind: z.literal("night.step"), night: z.string(), step: z.string(), page: z.number(), after: z.string() });

/** A message of the night that was worked off: which step went on from where, and whether it comes again. */
export type Worked = { step: string; after: string; isDone: boolean };

/**
 * What is done each night, when of all people these users alone were about the day before: the night looks after the list of everyone
 * who was, one after another, which in a runtime that many tests share would take longer than the tests that follow.
 */
export async function runNight(...about: string[]): Promise<Worked[]> {
  return runNightIn(env, ...about);
}

/** The same in another deployment on the same data. Its steps are over with this call; what they asked for is in the queue. */
export async function runNightIn(deployment: Env, ...about: string[]): Promise<Worked[]> {
  const dayBefore = new Date(Date.now() - 2 * DAY_MS).toISOString();
  const others = "UPDATE users SET last_seen_at = ?1 WHERE last_seen_at > ?1 AND id NOT IN (SELECT value FROM json_each(?2))";
  await env.DB.prepare(others).bind(dayBefore, JSON.stringify(about)).run();
  const waiting: z.infer<typeof Step>[] = [];
  const take = (body: unknown): boolean => {
    const { data } = Step.safeParse(body);
    if (data) waiting.push(data);
    return data !== undefined;
  };
  const { BULK } = deployment;
  const steps = overrideMethods(BULK, {
    send: async (body: { kind: string }, options?: QueueSendOptions) => take(body) || BULK.send(body, options),
    sendBatch: async (messages: MessageSendRequest<{ kind: string }>[]) => {
      const further = messages.filter(({ body }) => !take(body));
      if (further.length > 0) await BULK.sendBatch(further);
    },
  });
  const own = { ...deployment, BULK: steps };
  // A night of its own also where the clock stands still: one that is begun twice is one.
  nights += 1;
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(Date.now() + nights) }), own);
  const worked: Worked[] = [];
  for (let body = waiting.shift(); body; body = waiting.shift()) {
    const batch = createMessageBatch("polylogue-bulk", [{ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }]);
    await worker.queue(batch, own);
    const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
    worked.push({ step: body.step, after: body.after, isDone: explicitAcks.length === 1 });
  }
  return worked;
}
