import type { Hono } from "hono";
import { search } from "#shared/contracts/search.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { countInHour } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { sourcesOfCaller } from "#worker/conversation/tools/private-source.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";

/** Search over HTTP: asked of nothing but the caller's own hub. */
export function searchRoutes(app: Hono<AppContext>): void {
  serve(app, search, async ({ c, caller, query }) => {
    await countInHour(c.env, "searches", caller);
    return hubOf(c.env, caller.userId).search({ ...query, sources: sourcesOfCaller(caller) });
  });
}
