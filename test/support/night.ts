import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Env } from "#worker/env.ts";
import worker from "#worker/index.ts";

const DAY_MS = 24 * 60 * 60_000;

/**
 * What is done each night, when of all people these users alone were about the day before: the night looks after the list of everyone
 * who was, one after another, which in a runtime that many tests share would take longer than the tests that follow.
 */
export async function night(...about: string[]): Promise<void> {
  await nightIn(env, ...about);
}

/** The same in another deployment on the same data. */
export async function nightIn(deployment: Env, ...about: string[]): Promise<void> {
  const dayBefore = new Date(Date.now() - 2 * DAY_MS).toISOString();
  const others = "UPDATE users SET last_seen_at = ?1 WHERE last_seen_at > ?1 AND id NOT IN (SELECT value FROM json_each(?2))";
  await env.DB.prepare(others).bind(dayBefore, JSON.stringify(about)).run();
  await worker.scheduled(createScheduledController(), deployment);
}
