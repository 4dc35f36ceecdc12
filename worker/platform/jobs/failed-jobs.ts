/** What becomes of a job that fails: noted with each attempt, stuck when its queue gives it up, sent again when somebody asks for it. */
import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import type { QueueName } from "./job.ts";
import { plainError } from "#worker/platform/errors/plain-error.ts";
import { forgetFailure, forgetOldFailures, listToRetry, noteFailure, noteStuck } from "./queries.ts";

/** Jobs sent again at a time. */
const RETRIES = 100;
/** A queue keeps a message for 14 days: what it still tried then is gone, in milliseconds. */
const FORGOTTEN_MS = 15 * 24 * 60 * 60_000;
const ID_LENGTH = 12;
/** A payload's fields that name things, which a log may show. */
const NAMING = /(?:id|ids|key)$/i;
const SECRET = /KEY|SECRET|TOKEN/;
const SECRET_LENGTH = 6;

const Body = z.catchall(z.object({ kind: z.string() }), z.unknown());

/** Notes a failed attempt. Never throws: the job comes again whether this is known or not. */
export async function recordFailure(
  env: Env,
  message: Pick<Message, "body" | "attempts">,
  { queue, cause }: { queue: QueueName; cause: unknown },
): Promise<void> {
  const { name, message: text } = plainError(cause, secretsOf(env));
  const at = new Date().toISOString();
  const failure = { attempts: message.attempts, error_name: name, error_message: text, failed_at: at };
  try {
    await noteFailure(openDatabase(env.DB), { ...(await describe(message.body)), queue, ...failure });
  } catch (trouble) {
    log.error("a job's failure was not noted", { cause: trouble });
  }
}

/** Forgets the failed attempts before one that did its work. Never throws, as that work is done. */
export async function clearFailure(env: Env, body: unknown): Promise<void> {
  try {
    await forgetFailure(openDatabase(env.DB), (await describe(body)).id);
  } catch (trouble) {
    log.error("a job's earlier failures were not forgotten", { cause: trouble });
  }
}

/** Takes jobs that their queue gave up: each becomes a row that says what is stuck, and a line in the log. */
export async function recordDeadJobs(
  messages: readonly Pick<Message, "body" | "ack" | "retry">[],
  env: Env,
  queue: QueueName,
): Promise<void> {
  for (const message of messages) {
    try {
      const job = await describe(message.body);
      const { attempts, error_name, error_message } = await noteStuck(openDatabase(env.DB), { ...job, queue }, new Date().toISOString());
      const error = error_name === null ? "the Worker ended" : `${error_name}: ${error_message}`;
      log.error("a job is stuck: see `npm run jobs`", { id: job.id, kind: job.kind, ...jobSubject(job.payload), attempts, error });
      message.ack();
    } catch (cause) {
      log.error("a stuck job was not noted", { cause });
      message.retry();
    }
  }
}

/** Sends the jobs again that somebody wants to have tried again. */
export async function resendJobs(env: Env): Promise<void> {
  const db = openDatabase(env.DB);
  for (const { id, queue, kind, payload } of await listToRetry(db, RETRIES)) {
    await env[queue].send({ kind, ...payload });
    await forgetFailure(db, id);
  }
}

/** Forgets a batch of the failures of jobs that no queue holds any more; stuck ones stay until somebody decides. True where there may be more. */
export function forgetLostFailures(env: Env): Promise<boolean> {
  return forgetOldFailures(openDatabase(env.DB), new Date(Date.now() - FORGOTTEN_MS).toISOString());
}

/** A job's id, which is the same for the same work, its kind and payload; a message that is no job has no kind. */
async function describe(body: unknown): Promise<{ id: string; kind: string; payload: Record<string, unknown> }> {
  const job = Body.safeParse(body).data ?? { kind: "", body };
  const { kind, ...payload } = job;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(job))));
  return {
    id: Array.from(digest, (byte) => byte.toString(16).padStart(2, "0"))
      .join("")
      .slice(0, ID_LENGTH),
    kind,
    payload,
  };
}

/** What a job is about, as a log and an administrator may see it: the fields of its payload that name things. */
export function jobSubject(payload: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([field]) => field !== "id" && NAMING.test(field)));
}

function secretsOf(env: Env): string[] {
  return Object.entries<unknown>(env).flatMap(([name, value]) => {
    return SECRET.test(name) && typeof value === "string" && value.length >= SECRET_LENGTH ? [value] : [];
  });
}
