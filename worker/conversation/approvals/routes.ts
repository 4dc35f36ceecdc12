import type { Hono } from "hono";
import { listApprovals, listDecided } from "#shared/contracts/chat/approvals.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";

/** What waits for the caller's word, and what was decided, over HTTP. */
export function approvalRoutes(app: Hono<AppContext>): void {
  serve(app, listApprovals, async ({ c, caller, query }) => hubOf(c.env, caller.userId).waiting(query));

  serve(app, listDecided, async ({ c, caller, query }) => hubOf(c.env, caller.userId).decided(query));
}
