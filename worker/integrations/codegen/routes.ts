import type { Hono } from "hono";
import { connectCodegen, disconnectCodegen, getCodegenStatus } from "#shared/contracts/outbound/codegen.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { connect, connectionStatus, disconnect } from "./connection.ts";

/** Tries to connect in an hour: nobody guesses tokens through us. */
const TRIES_PER_HOUR = 20;

export function codegenRoutes(app: Hono<AppContext>): void {
  serve(app, getCodegenStatus, ({ c, caller }) => connectionStatus(c.var.db, caller.userId));

  serve(app, connectCodegen, async ({ c, caller, body }) => {
    await countOrRefuse(c.env, `codegen:${caller.userId}`, hourly(TRIES_PER_HOUR), "RATE_LIMITED");
    return { message: await connect(c.env, c.var.db, caller.userId, body) };
  });

  serve(app, disconnectCodegen, async ({ c, caller }) => {
    await disconnect(c.var.db, caller.userId);
    return { ok: true as const };
  });
}
