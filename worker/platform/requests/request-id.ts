import type { Context } from "hono";
import type { AppContext } from "#worker/platform/env.ts";

const known = new WeakMap<Request, string>();

/** What all lines about a request name it by: the platform's own id of it, which its log has too. */
export function requestIdOf(c: Context<AppContext>): string {
  const { raw } = c.req;
  const id = known.get(raw) ?? c.req.header("cf-ray") ?? crypto.randomUUID();
  known.set(raw, id);
  return id;
}
