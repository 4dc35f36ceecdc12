import type { Hono } from "hono";
import { readPassage } from "#shared/contracts/library/passages.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { showPassage } from "./show-passage.ts";

/** Mounts the passages that answers cite. */
export function passageRoutes(app: Hono<AppContext>): void {
  serve(app, readPassage, async ({ c, caller, params, query }) =>
    showPassage(c.env, c.var.db, { userId: caller.userId, contextId: params.id, documentId: params.documentId, ...query }),
  );
}
