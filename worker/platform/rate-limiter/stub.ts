import type { Env } from "#worker/platform/env.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { RateLimiterRpc } from "./rpc.ts";

export function rateLimiterOf(env: Env, key: string): DurableObjectStub<RateLimiterRpc> {
  return stubOf<RateLimiterRpc>(env.RATE_LIMITER, key);
}
