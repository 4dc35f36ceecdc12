import { FORMATS } from "#shared/attachment-rules.ts";
import { ERRORS } from "#shared/errors.ts";
import { KNOWLEDGE_FILES } from "#shared/limits.ts";
import { AppError } from "../../app-error.ts";
import { DriveError, type DriveFile, type DriveFileName, findFile } from "../../clients/google/drive.ts";
import type { Database } from "../../db/client.ts";
import { DRIVE_BYTES, FOLDER, planOf, SHORTCUT, TOO_LARGE } from "../../drive/plan.ts";
import { type AskDrive, DriveNotConnected, openDrive } from "../../drive/with-drive.ts";
import type { Env } from "../../env.ts";
import { enqueue } from "../../jobs/job.ts";
import { fileUrl, newKey } from "../keys.ts";
import { reachOwn } from "../knowledge.ts";
import type { FileRow } from "../queries.ts";
import { fetchSoon } from "./fetch-file.ts";
import { followFolderJob } from "./follow-folder.ts";
import { hasDriveFile, insertDriveFile, insertFolder } from "./queries.ts";

type Input = { contextId: string; userId: string; picked: readonly DriveFileName[] };

/**
 * Adds what a person picked of their Drive to an entry of their own: files are fetched in the background, folders are followed.
 * Throws NOT_FOUND, FORBIDDEN, GOOGLE_UNREACHABLE, and INVALID_INPUT where the entry has too many.
 */
export async function addPicked(env: Env, db: Database, { contextId, userId, picked }: Input): Promise<void> {
  await reachOwn(db, userId, contextId);
  const drive = openDrive(env, userId);
  const found = await Promise.all(picked.map((name) => lookUp(env, drive, name)));
  for (const [at, file] of found.entries()) {
    const resourceKey = picked[at]?.resourceKey ?? file.resourceKey ?? null;
    if (file.mimeType === FOLDER) {
      const created_at = new Date().toISOString();
      await insertFolder(db, {
        context_id: contextId,
        folder_id: file.id,
        user_id: userId,
        name: file.name,
        resource_key: resourceKey,
        created_at,
      });
      await enqueue(env, followFolderJob, { contextId, folderId: file.id });
      continue;
    }
    const added = await addDriveFile(env, db, { contextId, userId, folderId: null, file: { ...file, resourceKey } });
    if (!added && !(await hasDriveFile(db, contextId, file.id)))
      throw new AppError("INVALID_INPUT", { message: `A knowledge entry can have ${KNOWLEDGE_FILES} files.` });
  }
}

async function lookUp(env: Env, drive: AskDrive, name: DriveFileName): Promise<DriveFile> {
  try {
    const file = await drive((token) => findFile(env, token, name));
    const target = file.mimeType === SHORTCUT ? file.shortcutDetails : null;
    if (!target) return file;
    return await drive((token) => findFile(env, token, { id: target.targetId, resourceKey: target.targetResourceKey ?? null }));
  } catch (cause) {
    if (cause instanceof DriveNotConnected) throw new AppError("FORBIDDEN", { message: "Connect Google to continue", cause });
    if (!(cause instanceof DriveError)) throw cause;
    throw new AppError(cause.kind === "gone" ? "NOT_FOUND" : "GOOGLE_UNREACHABLE", { message: cause.message, cause });
  }
}

type Added = { contextId: string; userId: string; folderId: string | null; file: DriveFile };

/** Adds a file of Drive and has it fetched; undefined where it is there already, or the entry is full. */
export async function addDriveFile(env: Env, db: Database, { contextId, userId, folderId, file }: Added): Promise<FileRow | undefined> {
  const id = crypto.randomUUID();
  const plan = planOf(file);
  const name = fileName(file, plan?.extension ?? null);
  const unread = plan === null ? ERRORS.FILE_TYPE.message : (file.size ?? 0) > DRIVE_BYTES ? TOO_LARGE : null;
  const added = await insertDriveFile(db, {
    id,
    context_id: contextId,
    user_id: userId,
    file_url: fileUrl({ contextId, id }),
    file_name: name,
    file_type: plan === null ? "application/octet-stream" : FORMATS[plan.format].type,
    created_at: new Date().toISOString(),
    object_key: newKey(contextId, "none"),
    sync_status: unread === null ? "pending" : "error",
    unread,
    google_drive_file_id: file.id,
    google_drive_folder_id: folderId,
    google_drive_mime_type: file.mimeType,
    google_drive_resource_key: file.resourceKey ?? null,
  });
  if (added && unread === null) await fetchSoon(env, added);
  return added;
}

const NAME_LENGTH = 250;

/** What a file is called here: what Google makes of its own types has an extension. */
export function fileName({ name }: Pick<DriveFile, "name">, extension: string | null): string {
  const plain = name.trim().slice(0, NAME_LENGTH) || "File";
  return extension === null ? plain : `${plain}.${extension}`;
}
