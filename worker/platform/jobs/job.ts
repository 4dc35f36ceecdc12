import type * as z from "zod/mini";
import type { Env } from "#worker/platform/env.ts";

/** Does a job's work; `attempt` counts from 1. It may come more than once, so a repeat must do no harm. */
type Handler<Payload> = (env: Env, payload: Payload, attempt: number) => Promise<void>;

/**
 * The queues by their bindings (wrangler.jsonc): `JOBS` and `READS` have what somebody waits for, the latter what is hostile at worst; `BULK`
 * has what nobody does, which takes its time.
 */
export type QueueName = "JOBS" | "READS" | "BULK";

/** A kind of work that a queue carries out later. */
export type Job<Payload extends object> = {
  kind: string;
  queue: QueueName;
  payload: z.ZodMiniType<Payload>;
  /** Works off a message of this kind. Throws where the message is not of its form, too. */
  receive(env: Env, message: unknown, attempt: number): Promise<void>;
};

/** What is needed to ask for a job: its handler may stand in a later wing. */
export type JobKind<Payload extends object> = Pick<Job<Payload>, "kind" | "queue" | "payload">;

/** Describes a job: its payload has keys, never content, as a message holds 128 KB at most. */
export function job<Payload extends object>(
  kind: string,
  payload: z.ZodMiniType<Payload>,
  handler: Handler<Payload>,
  queue: Job<Payload>["queue"] = "JOBS",
): Job<Payload> {
  return jobOfKind({ kind, queue, payload }, handler);
}

/** The job that does the work of a kind. */
export function jobOfKind<Payload extends object>(kind: JobKind<Payload>, handler: Handler<Payload>): Job<Payload> {
  return { ...kind, receive: (env, message, attempt) => handler(env, kind.payload.parse(message), attempt) };
}

/** Queues a job, by default to be worked off at once. */
export async function enqueue<Payload extends object>(
  env: Env,
  { kind, queue }: JobKind<Payload>,
  payload: NoInfer<Payload>,
  ...options: [QueueSendOptions?]
): Promise<void> {
  await env[queue].send({ kind, ...payload }, ...options);
}

/** Queues a job for each payload, 100 at most. */
export async function enqueueAll<Payload extends object>(
  env: Env,
  { kind, queue }: JobKind<Payload>,
  payloads: readonly NoInfer<Payload>[],
  options: QueueSendOptions = {},
): Promise<void> {
  await env[queue].sendBatch(payloads.map((payload) => ({ body: { kind, ...payload }, ...options })));
}
