import type { Hono } from "hono";
import { getDriveIndex, openDrivePicker, readDrivePassage, startDriveIndex } from "#shared/contracts/outbound/drive.ts";
import { AppError } from "../app-error.ts";
import { type AppContext, configOf, type Env } from "../env.ts";
import { googleAccess } from "../google/access.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { serve } from "../http/serve.ts";
import { pickerPage } from "./picker-page.ts";
import { showDrivePassage } from "./show-passage.ts";
import { startIndexing } from "./start.ts";
import { indexStatus } from "./status.ts";

/** Times a person may begin it in an hour: each asks Google for what changed. */
const STARTS_PER_HOUR = 20;

/** Mounts Google Drive. */
export function driveRoutes(app: Hono<AppContext>): void {
  serve(app, startDriveIndex, async ({ c, caller }) => {
    requireDrive(c.env);
    if (!(await googleAccess(c.env, caller.userId, "drive"))) throw new AppError("FORBIDDEN", { message: "Connect Google to continue" });
    await countOrRefuse(c.env, `drive-index:${caller.userId}`, hourly(STARTS_PER_HOUR), "RATE_LIMITED");
    await startIndexing(c.env, { userId: caller.userId, isAsked: true });
    return { ok: true as const };
  });

  serve(app, getDriveIndex, async ({ c, caller }) => {
    requireDrive(c.env);
    return indexStatus(c.env, caller.userId);
  });

  serve(app, openDrivePicker, ({ c, query }) => pickerPage(c, query));

  serve(app, readDrivePassage, async ({ c, caller, params, query }) => {
    requireDrive(c.env);
    return showDrivePassage(c.env, { userId: caller.userId, fileId: params.id, ...query });
  });
}

function requireDrive(env: Env): void {
  if (!configOf(env).google.features.includes("drive")) throw new AppError("NOT_FOUND");
}
