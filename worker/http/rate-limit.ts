import type { ErrorCode } from "#shared/errors.ts";
import type { Env } from "../env.ts";
import { AppError } from "../app-error.ts";
import type { Take, Taken } from "../rate-limiter/rpc.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

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
  const limiter = env.RATE_LIMITER.get(env.RATE_LIMITER.idFromName(key));
  const taken: Taken = await limiter.take(take);
  if (taken.allowed) return;
  const seconds = Math.max(1, Math.ceil((taken.retryAt - Date.now()) / 1000));
  throw new AppError(code, { headers: { "retry-after": String(seconds) } });
}

/** Counts one event of a key exactly, where its limit allows one more; false where not. */
export async function countIfFree(env: Env, key: string, take: Take): Promise<boolean> {
  return (await env.RATE_LIMITER.get(env.RATE_LIMITER.idFromName(key)).take(take)).allowed;
}

/** Takes back the newest event of a key, as it turned out to be none that counts. */
export async function giveBack(env: Env, key: string): Promise<void> {
  await env.RATE_LIMITER.get(env.RATE_LIMITER.idFromName(key)).giveBack();
}
