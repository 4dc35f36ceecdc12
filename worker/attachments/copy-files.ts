import type { RoomFile } from "../chat-room/rpc.ts";
import { fileKey, textKey } from "./attachment-keys.ts";

/** Copies stored files, and the text read of them, to another chat under their own ids; what is gone stays gone. */
export async function copyFiles(
  bucket: R2Bucket,
  { from, to, files }: { from: string; to: string; files: readonly Pick<RoomFile, "id" | "objectId">[] },
): Promise<void> {
  for (const { id, objectId } of files) {
    for (const keyOf of [fileKey, textKey]) {
      const stored = await bucket.get(keyOf({ chatId: from, id, objectId }));
      if (!stored) continue;
      await bucket.put(keyOf({ chatId: to, id, objectId }), stored.body, {
        ...(stored.httpMetadata && { httpMetadata: stored.httpMetadata }),
        // How far a text was read, which its readers ask for.
        ...(stored.customMetadata && { customMetadata: stored.customMetadata }),
      });
    }
  }
}
