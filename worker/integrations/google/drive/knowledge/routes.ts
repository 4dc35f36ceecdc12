import type { Hono } from "hono";
import { addDriveFiles } from "#shared/contracts/outbound/drive.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import { KNOWLEDGE_FILES, KNOWLEDGE_FOLDERS } from "#shared/limits.ts";
import { DriveError, type DriveFile, type DriveFileName, findFile } from "#worker/platform/clients/google/drive.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { FOLDER, SHORTCUT } from "#worker/integrations/google/drive/reading-plan.ts";
import { type AskDrive, DriveNotConnected, openDrive } from "#worker/integrations/google/drive/open-drive.ts";
import { requireEditableEntry } from "#worker/library/knowledge/knowledge.ts";
import { addDriveFile } from "./add-drive-file.ts";
import { queueFolderSync } from "./follow-folder.ts";
import { hasDriveFile, insertFolder } from "./queries.ts";

/** Times a person may add what they picked in an hour. */
const PICKS_PER_HOUR = 100;

export function knowledgeDriveRoutes(app: Hono<AppContext>): void {
  serve(app, addDriveFiles, async ({ c, caller, params, body }) => {
    if (!configOf(c.env).google.features.includes("drive")) throw new AppError("NOT_FOUND");
    await countOrRefuse(c.env, `drive-picks:${caller.userId}`, hourly(PICKS_PER_HOUR), "RATE_LIMITED");
    const picked = body.files.map(({ id, resourceKey }) => ({ id, resourceKey: resourceKey || null }));
    await addPicked(c.env, c.var.db, { entryId: params.id, userId: caller.userId, picked });
    notifyTabs(c, "knowledge", caller.userId);
    return { ok: true as const };
  });
}

type Input = { entryId: string; userId: string; picked: readonly DriveFileName[] };

/**
 * Adds what a person picked of their Drive to an entry that they may change: files are fetched in the background, folders are followed.
 * Throws NOT_FOUND, FORBIDDEN, GOOGLE_UNREACHABLE, and INVALID_INPUT where the entry has too many.
 */
async function addPicked(env: Env, db: Database, { entryId, userId, picked }: Input): Promise<void> {
  await requireEditableEntry(db, userId, entryId);
  const drive = openDrive(env, userId);
  const found = await Promise.all(picked.map((name) => lookUp(env, drive, name)));
  for (const { file, resourceKey } of found) {
    if (file.mimeType === FOLDER) {
      const created_at = new Date().toISOString();
      const isFollowed = await insertFolder(db, {
        context_id: entryId,
        folder_id: file.id,
        user_id: userId,
        name: file.name,
        resource_key: resourceKey,
        created_at,
      });
      if (!isFollowed) throw new AppError("INVALID_INPUT", { message: `A knowledge entry can follow ${KNOWLEDGE_FOLDERS} folders.` });
      await queueFolderSync(env, { contextId: entryId, folderId: file.id });
      continue;
    }
    const added = await addDriveFile(env, db, { entryId, userId, folderId: null, file: { ...file, resourceKey } });
    if (!added && !(await hasDriveFile(db, entryId, file.id)))
      throw new AppError("INVALID_INPUT", { message: `A knowledge entry can have ${KNOWLEDGE_FILES} files.` });
  }
}

/** A file with the key that it is opened with; what a shortcut leads to in the shortcut's place. */
async function lookUp(env: Env, drive: AskDrive, name: DriveFileName): Promise<{ file: DriveFile; resourceKey: string | null }> {
  const find = async ({ id, resourceKey }: DriveFileName) => {
    const file = await drive((token) => findFile(env, token, { id, resourceKey }));
    return { file, resourceKey: resourceKey ?? file.resourceKey ?? null };
  };
  try {
    const found = await find(name);
    const target = found.file.mimeType === SHORTCUT ? found.file.shortcutDetails : null;
    if (!target) return found;
    return await find({ id: target.targetId, resourceKey: target.targetResourceKey ?? null });
  } catch (cause) {
    if (cause instanceof DriveNotConnected) throw new AppError("FORBIDDEN", { message: "Connect Google to continue", cause });
    if (!(cause instanceof DriveError)) throw cause;
    throw new AppError(cause.kind === "gone" ? "NOT_FOUND" : "GOOGLE_UNREACHABLE", { message: cause.message, cause });
  }
}
