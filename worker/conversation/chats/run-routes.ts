import type { Hono } from "hono";
import { listRuns, stopRun } from "#shared/contracts/chat/runs.ts";
import type { Run } from "#shared/entities/outbound/run.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { readerOf } from "#worker/people/callers/reader.ts";

/** Mounts what a chat's tool calls have set going outside. */
export function runRoutes(app: Hono<AppContext>): void {
  serve(app, listRuns, async ({ c, caller, params }) => {
    const { runs } = unwrap<{ runs: Run[] }>(await roomOf(c.env, params.id).runs(readerOf(caller), { kind: "list" }));
    return { runs };
  });

  serve(app, stopRun, async ({ c, caller, params }) => {
    const input = { kind: "stop", callId: params.callId } as const;
    const { runs } = unwrap<{ runs: Run[] }>(await roomOf(c.env, params.id).runs(readerOf(caller), input));
    const [run] = runs;
    if (!run) throw new AppError("NOT_FOUND");
    return { run };
  });
}
