import { env } from "cloudflare:workers";
import type { Variables } from "#worker/platform/config/config.ts";
import type { Env } from "#worker/platform/env.ts";

/** Bindings and variables in which a deployment differs from the tests' own; one that is `undefined` is absent. */
export type Changes = Partial<Env> & Variables;

/** The tests' deployment with some changes. */
export function deploymentWith(changes: Changes): Env {
  return { ...env, ...changes };
}
