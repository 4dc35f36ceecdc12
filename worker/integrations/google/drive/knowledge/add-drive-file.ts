import { FORMATS } from "#shared/attachment-rules.ts";
import { ERRORS } from "#shared/errors.ts";
import type { DriveFile } from "#worker/platform/clients/google/drive.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { DRIVE_BYTES, planOf, TOO_LARGE } from "#worker/integrations/google/drive/reading-plan.ts";
import type { Env } from "#worker/platform/env.ts";
import type { FileRow } from "#worker/library/knowledge/file-rows.ts";
import { fileUrl, newKey } from "#worker/library/knowledge/keys.ts";
import { queueFetch } from "#worker/library/knowledge/drive-files.ts";
import { fileName } from "./file-name.ts";
import { insertDriveFile } from "./queries.ts";

type Added = { entryId: string; userId: string; folderId: string | null; file: DriveFile };

/** Adds a file of Drive and has it fetched; undefined where it is there already, or the entry is full. */
export async function addDriveFile(env: Env, db: Database, { entryId, userId, folderId, file }: Added): Promise<FileRow | undefined> {
  const id = crypto.randomUUID();
  const plan = planOf(file);
  const name = fileName(file.name, plan);
  const unread = plan === null ? ERRORS.FILE_TYPE.message : (file.size ?? 0) > DRIVE_BYTES ? TOO_LARGE : null;
  const added = await insertDriveFile(db, {
    id,
    context_id: entryId,
    user_id: userId,
    file_url: fileUrl({ entryId, id }),
    file_name: name,
    file_type: plan === null ? "application/octet-stream" : FORMATS[plan.format].type,
    created_at: new Date().toISOString(),
    object_key: newKey(entryId, "none"),
    sync_status: unread === null ? "pending" : "error",
    unread,
    google_drive_file_id: file.id,
    google_drive_folder_id: folderId,
    google_drive_mime_type: file.mimeType,
    google_drive_resource_key: file.resourceKey ?? null,
  });
  if (added && unread === null) await queueFetch(env, added);
  return added;
}
