import { formatBytes } from "#shared/attachment-rules.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { fileKey } from "#worker/library/attachments/attachment-keys.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { RecordingType } from "#worker/platform/clients/recording-type.ts";
import type { Env } from "#worker/platform/env.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";

/** `ownerId` owns the chat, and its files; `userId` sent it. */
type Place = { chatId: string; id: string; ownerId: string; userId: string };

/** Stores a recording beside its words as a file of the chat; a repeat stores the same. Without room its words alone are kept, and that is said. */
export async function storeRecording(
  env: Env,
  { chatId, id: messageId, ownerId, userId }: Place,
  { bytes, type }: { bytes: Uint8Array; type: RecordingType },
): Promise<{ files: RoomFile[]; note: string | null }> {
  const id = await uuidOfName(`${chatId}/${messageId}/recording`);
  const store = () => env.FILES.put(fileKey({ chatId, id, objectId: id }), bytes, { httpMetadata: { contentType: type.type } });
  try {
    await withinStorage(env, { ownerId, userId, id, bytes: bytes.byteLength }, store);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "STORAGE_FULL") throw cause;
    return {
      files: [],
      note: `${ownerId === userId ? "Your storage" : "The storage of this chat's owner"} is full: the recording of ${formatBytes(bytes.byteLength)} was not kept, these are its words.`,
    };
  }
  const file = { id, objectId: id, name: `voice-note.${type.extension}`, type: type.type, kind: "audio" as const, size: bytes.byteLength };
  return { files: [{ ...file, characters: 0, isComplete: true, unread: null }], note: null };
}
