/** Asking for a file of Drive, which integrations/google/drive fetches. */
import * as z from "zod/mini";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, type JobKind } from "#worker/platform/jobs/job.ts";
import { type FileRow, updateFile } from "./queries.ts";

const Name = z.object({ contextId: z.string(), id: z.string(), tries: z.number() });

/** Fetching a file; `tries` counts from 0 how often Drive was asked for it. */
export const FETCH_DRIVE_FILE: JobKind<z.infer<typeof Name>> = { kind: "knowledge.drive", queue: "READS", payload: Name };

export async function queueFetch(env: Env, { context_id: entryId, id }: Pick<FileRow, "context_id" | "id">): Promise<void> {
  await enqueue(env, FETCH_DRIVE_FILE, { contextId: entryId, id, tries: 0 });
}

/** Has a file of Drive fetched that could not be; answers it as it is then. */
export async function queueRefetch(env: Env, db: Database, file: FileRow): Promise<FileRow> {
  const change = { sync_status: "pending", unread: null } as const;
  const changed = await updateFile(db, file.id, { as: { object_key: file.object_key, sync_status: "error" }, change });
  if (changed) await queueFetch(env, changed);
  return changed ?? file;
}
