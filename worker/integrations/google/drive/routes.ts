import type { Hono } from "hono";
import { getDriveIndex, openDrivePicker, readDrivePassage, startDriveIndex } from "#shared/contracts/outbound/drive.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { googleAccess } from "#worker/integrations/google/access.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { pickerPage } from "./picker-page.ts";
import { startIndexing } from "./start-indexing.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { driveIndexOf } from "#worker/integrations/google/drive/drive-index/stub.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { placeOf } from "#worker/library/passages/passage.ts";
import { shardOf } from "./index-shards.ts";
import type { DriveIndexStatus } from "#shared/entities/outbound/drive-index.ts";
import type { DriveState } from "#worker/integrations/google/drive/drive-index/rpc.ts";

const NONE: DriveIndexStatus = {
  status: "none",
  totalFiles: 0,
  indexedFiles: 0,
  skippedFiles: 0,
  errors: [],
  message: null,
  finishedAt: null,
};

const STATUS: Record<DriveState["phase"], DriveIndexStatus["status"]> = {
  listing: "running",
  reading: "running",
  done: "completed",
  failed: "error",
};

/** How the index of a person's Drive stands. */
async function indexStatus(env: Env, userId: string): Promise<DriveIndexStatus> {
  const state = await driveIndexOf(env, userId).state();
  if (!state) return NONE;
  return {
    status: STATUS[state.phase],
    totalFiles: state.total,
    indexedFiles: state.indexed,
    skippedFiles: state.skipped,
    errors: state.errors,
    message: state.message,
    finishedAt: state.finishedAt === null ? null : new Date(state.finishedAt).toISOString(),
  };
}

/** Times a person may begin it in an hour: each asks Google for what changed. */
const STARTS_PER_HOUR = 20;

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

type Wanted = { userId: string; fileId: string; from: number; to: number };

/** A passage of a file in a person's own Drive. Throws NOT_FOUND where it is not (any more) in their index. */
async function showDrivePassage(env: Env, { userId, fileId, from, to }: Wanted): Promise<ResponseOf<typeof readDrivePassage>> {
  const file = await driveIndexOf(env, userId).find(fileId);
  const shown = file && (await indexOf(env, shardOf(userId, fileId)).show({ documentId: fileId, start: from, end: to }));
  const [first, last] = [shown?.passages[0], shown?.passages.at(-1)];
  if (!file || !shown || !first || !last)
    throw new AppError("NOT_FOUND", { message: "This passage is not there any more, or not yours to see." });
  const { id, name, pages } = shown.document;
  return {
    document: { id, name, pages },
    place: placeOf({ ...first, last_row: last.last_row }),
    page: first.page,
    before: shown.before,
    text: shown.passages.map(({ text }) => text).join(""),
    after: shown.after,
    link: file.link,
  };
}
