import type { MiddlewareHandler } from "hono";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { pathToLog } from "#worker/platform/requests/path-to-log.ts";
import { requestIdOf } from "#worker/platform/requests/request-id.ts";

/**
 * Writes a line for a share of all requests, as the platform writes none for its invocations (wrangler.jsonc). Whether it is one of them is
 * drawn once, as it comes in; warnings, errors and security events are written whatever was drawn.
 */
export const logRequests: MiddlewareHandler<AppContext> = async (c, next) => {
  const isDrawn = Math.random() < configOf(c.env).logSample;
  const began = Date.now();
  await next();
  if (!isDrawn) return;
  log.sample("request", {
    method: c.req.method,
    path: pathToLog(c.req.path),
    status: c.res.status,
    ms: Date.now() - began,
    account: c.get("caller")?.userId ?? null,
    request: requestIdOf(c),
  });
};
