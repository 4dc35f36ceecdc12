import { formatOfType } from "#shared/attachment-rules.ts";
import type { RoomFile } from "./room-file.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { fileKey, textKey } from "./attachment-keys.ts";
import { STILL_READING } from "#worker/library/attachments/readers/extraction.ts";
import { readUploadJob } from "./read-upload.ts";

type Copied = Pick<RoomFile, "id" | "objectId" | "type" | "size" | "unread">;

/** Copies stored files, and the text read of them, to another chat under their own ids; what is gone stays gone, what was not read yet is read. */
export async function copyFiles(env: Env, { from, to, files }: { from: string; to: string; files: readonly Copied[] }): Promise<void> {
  const { FILES: bucket } = env;
  for (const { id, objectId, type, size, unread } of files) {
    const copied = { chatId: to, id, objectId };
    for (const keyOf of [fileKey, textKey]) {
      const stored = await bucket.get(keyOf({ chatId: from, id, objectId }));
      if (!stored) continue;
      await bucket.put(keyOf(copied), stored.body, {
        ...(stored.httpMetadata && { httpMetadata: stored.httpMetadata }),
        // How far a text was read, which its readers ask for.
        ...(stored.customMetadata && { customMetadata: stored.customMetadata }),
      });
    }
    const format = unread === STILL_READING ? formatOfType(type) : null;
    if (format && !(await bucket.head(textKey(copied)))) await enqueue(env, readUploadJob, { key: fileKey(copied), format, size });
  }
}
