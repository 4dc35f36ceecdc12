import type { Hono } from "hono";
import { search } from "#shared/contracts/search.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { hubOf } from "../user-hub/stub.ts";

/** Search over HTTP: asked of nothing but the caller's own hub. */
export function searchRoutes(app: Hono<AppContext>): void {
  serve(app, search, ({ c, caller, query }) => hubOf(c.env, caller.userId).search(query));
}
