import type { ErrorCode } from "#shared/errors.ts";
import { GUEST_SHARE_OF_LIMITS } from "#shared/limits.ts";
import type { Config } from "#worker/platform/config/config.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import type { Take, Taken } from "#worker/platform/rate-limiter/rpc.ts";
import { rateLimiterOf } from "#worker/platform/rate-limiter/stub.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A key's limit in any 60 seconds. */
export function minutely(limit: number, now = Date.now()): Take {
  return { limit, since: now - MINUTE_MS, until: now + MINUTE_MS };
}

/** A key's limit in any 60 minutes. */
export function hourly(limit: number, now = Date.now()): Take {
  return { limit, since: now - HOUR_MS, until: now + HOUR_MS };
}

/** A key's limit in a day of UTC. */
export function daily(limit: number, now = Date.now()): Take {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  return { limit, since: midnight - 1, until: midnight + DAY_MS };
}

/** Counts one event of a key exactly, or throws `code` with the seconds to wait in Retry-After. */
export async function countOrRefuse(env: Env, key: string, take: Take, code: ErrorCode): Promise<void> {
  const limiter = rateLimiterOf(env, key);
  const taken: Taken = await limiter.take(take);
  if (!taken.allowed) throw refusal(code, taken.retryAt);
}

/** Throws `code` where a key's limit allows no more; counts nothing. */
export async function refuseIfFull(env: Env, key: string, take: Take, code: ErrorCode): Promise<void> {
  if (await isFull(env, key, take)) throw refusal(code, take.until);
}

type Counted = keyof Config["limits"]["perHour"];

/** Counts one thing that a person does so often in an hour, or throws RATE_LIMITED; a guest does it a share as often. */
export async function countInHour(env: Env, what: Counted, { userId, anonymous }: Pick<Caller, "userId" | "anonymous">): Promise<void> {
  const limit = configOf(env).limits.perHour[what];
  const own = anonymous ? Math.ceil(limit * GUEST_SHARE_OF_LIMITS) : limit;
  await countOrRefuse(env, `${what}:${userId}`, hourly(own), "RATE_LIMITED");
}

/** Takes back the newest of what `countInHour` counted. */
export async function uncountInHour(env: Env, what: Counted, { userId }: Pick<Caller, "userId">): Promise<void> {
  await takeBackEvent(env, `${what}:${userId}`);
}

function refusal(code: ErrorCode, retryAt: number): AppError {
  const seconds = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000));
  return new AppError(code, { headers: { "retry-after": String(seconds) } });
}

/** Counts one event of a key exactly, where its limit allows one more; false where not. */
export async function countIfAllowed(env: Env, key: string, take: Take): Promise<boolean> {
  return (await rateLimiterOf(env, key).take(take)).allowed;
}

/** True where a key's limit allows no more; counts nothing. */
export async function isFull(env: Env, key: string, take: Take): Promise<boolean> {
  return rateLimiterOf(env, key).isFull(take);
}

/** Takes back the newest event of a key, as it turned out to be none that counts; where that fails it stays counted. */
export async function takeBackEvent(env: Env, key: string): Promise<void> {
  try {
    await rateLimiterOf(env, key).uncount();
  } catch (cause) {
    // What it is about is done: a code that was right is used up, and its sign-in must not be lost to this.
    log.warn("what was counted was not given back", { cause });
  }
}
