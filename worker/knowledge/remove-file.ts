import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { countFiles } from "./count-files.ts";
import { unfollow } from "./drive/unfollow.ts";
import { deleteFileRow } from "./queries.ts";
import { type FileName, reachOwnFile } from "./files.ts";
import { forgetDocument } from "./index-sources.ts";
import { deleteObject } from "./keys.ts";

/** Removes a file from an entry of the user's own: its row, its bytes and all that was read of it. Throws NOT_FOUND, FORBIDDEN. */
export async function removeFile(env: Env, db: Database, userId: string, file: FileName): Promise<void> {
  const { id, context_id: contextId, object_key: key, google_drive_folder_id: folderId } = await reachOwnFile(db, userId, file);
  // Or the folder would bring it back.
  if (folderId !== null) await unfollow(db, { contextId, folderId });
  // Its row goes last: without it nothing would remember what is left to be removed.
  await Promise.all([deleteObject(env.FILES, key), forgetDocument(env, contextId, id)]);
  await deleteFileRow(db, id);
  await countFiles(env, db, userId);
}
