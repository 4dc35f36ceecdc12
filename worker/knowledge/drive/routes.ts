import type { Hono } from "hono";
import { addDriveFiles } from "#shared/contracts/outbound/drive.ts";
import { AppError } from "../../app-error.ts";
import { type AppContext, configOf } from "../../env.ts";
import { countOrRefuse, hourly } from "../../http/rate-limit.ts";
import { serve } from "../../http/serve.ts";
import { noteChanged } from "../note-changed.ts";
import { addPicked } from "./add-picked.ts";

/** Times a person may add what they picked in an hour. */
const PICKS_PER_HOUR = 100;

/** Mounts adding files of Drive to knowledge. */
export function knowledgeDriveRoutes(app: Hono<AppContext>): void {
  serve(app, addDriveFiles, async ({ c, caller, params, body }) => {
    if (!configOf(c.env).google.features.includes("drive")) throw new AppError("NOT_FOUND");
    await countOrRefuse(c.env, `drive-picks:${caller.userId}`, hourly(PICKS_PER_HOUR), "RATE_LIMITED");
    const picked = body.files.map(({ id, resourceKey }) => ({ id, resourceKey: resourceKey || null }));
    await addPicked(c.env, c.var.db, { contextId: params.id, userId: caller.userId, picked });
    c.executionCtx.waitUntil(noteChanged(c.env, caller.userId));
    return { ok: true as const };
  });
}
