import type { Hono } from "hono";
import { listApprovals, listDecided } from "#shared/contracts/chat/approvals.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { hubOf } from "../user-hub/stub.ts";

/** What waits for the caller's word, and what was decided, over HTTP. */
export function approvalRoutes(app: Hono<AppContext>): void {
  serve(app, listApprovals, async ({ c, caller, query }) => hubOf(c.env, caller.userId).waiting(query));

  serve(app, listDecided, async ({ c, caller, query }) => hubOf(c.env, caller.userId).decided(query));
}
