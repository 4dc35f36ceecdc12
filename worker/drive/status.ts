import type { DriveIndexStatus } from "#shared/entities/outbound/drive-index.ts";
import type { DriveState } from "../drive-index/rpc.ts";
import { driveIndexOf } from "../drive-index/stub.ts";
import type { Env } from "../env.ts";

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
export async function indexStatus(env: Env, userId: string): Promise<DriveIndexStatus> {
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
