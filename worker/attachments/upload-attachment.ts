import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import type { Attachment } from "#shared/entities/attachment.ts";
import { FORMATS, formatOfName } from "#shared/attachment-rules.ts";
import { ATTACHMENT_BYTES } from "#shared/limits.ts";
import { factsOf, type RoomFile } from "./room-file.ts";
import { roomOf } from "../chat-room/stub.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import { findOwnerId } from "../chats/chats.ts";
import { withinStorage } from "../usage/storage.ts";
import { beginChat } from "../chats/send-message.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { AppError, unwrap } from "../app-error.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { deleteFolder, fileKey, folderOf } from "./attachment-keys.ts";
import { noteUpload } from "./queries.ts";
import { requestReading } from "./read-upload.ts";
import { receiveFile } from "./receive-file.ts";
import { toAttachment } from "./to-attachment.ts";

/** Files one person may upload in an hour. */
const UPLOADS_PER_HOUR = 300;

/** Who uploads; `settings` are what a chat that is made for the file begins with. */
export type UploadContext = { env: Env; db: Database; caller: Caller; settings: ChatSettings };

type Input = { chatId: string; id: string; name: string };
/** `length` in bytes, null where the request does not say it. */
type Sent = { body: ReadableStream<Uint8Array> | null; length: number | null };
type Stored = Input & { objectId: string };

/**
 * Takes a file for a message to come: streams it to storage, has the text in it read and adds it to its chat, which is made
 * quietly where there is none. The same id again answers the same. Throws NOT_FOUND, FORBIDDEN, CONFLICT, FILE_TYPE, FILE_TOO_LARGE, STORAGE_FULL,
 * RATE_LIMITED.
 */
export async function uploadAttachment(context: UploadContext, { chatId, id, name }: Input, { body, length }: Sent): Promise<Attachment> {
  const { env, db, caller } = context;
  const known = await enterChat(context, { chatId, id });
  if (known) {
    if (known.name !== name) throw new AppError("CONFLICT");
    return toAttachment(chatId, known);
  }
  if (formatOfName(name) === null) throw new AppError("FILE_TYPE");
  await countOrRefuse(env, `uploads:${context.caller.userId}`, hourly(UPLOADS_PER_HOUR), "RATE_LIMITED");
  const file = { chatId, id, name, objectId: crypto.randomUUID() };
  const bytes = Math.min(length ?? ATTACHMENT_BYTES, ATTACHMENT_BYTES);
  const ownerId = (await findOwnerId(db, chatId)) ?? caller.userId;
  return withinStorage(env, { ownerId, userId: caller.userId, id: file.objectId, bytes }, async () => {
    await noteUpload(db, { id, chat_id: chatId, created_at: new Date().toISOString() });
    try {
      return await store(context, file, body);
    } catch (cause) {
      await deleteFolder(env.FILES, fileKey(file));
      throw cause;
    }
  });
}

/** Deletes an upload of the caller's own that no message carries; one that is gone already is no matter. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
export async function withdrawAttachment(env: Env, caller: Caller, { chatId, id }: { chatId: string; id: string }): Promise<void> {
  const isDropped = unwrap(await roomOf(env, chatId).withdrawFile(readerOf(caller), id));
  if (!isDropped) throw new AppError("CONFLICT", { message: "This file was sent with a message and stays with it." });
  await deleteFolder(env.FILES, folderOf(chatId, id));
}

/** The file that has this id already, once the caller may attach to the chat; a chat that does not exist is created for them. */
async function enterChat(
  { env, db, caller, settings }: UploadContext,
  { chatId, id }: { chatId: string; id: string },
): Promise<RoomFile | null> {
  const room = roomOf(env, chatId);
  const reader = readerOf(caller);
  const found = await room.findFile(reader, id, "attach");
  if (found.ok || found.code !== "NOT_FOUND") return unwrap(found);
  const { chat } = await beginChat(env, db, { id: chatId, caller, settings });
  await room.createChat(chatId, chat, { isQuiet: true });
  return unwrap(await room.findFile(reader, id, "attach"));
}

async function store({ env, caller }: UploadContext, file: Stored, body: ReadableStream<Uint8Array> | null): Promise<Attachment> {
  const { chatId, id, name, objectId } = file;
  const received = await receiveFile(env.FILES, { key: fileKey(file), name, body });
  const { type, kind } = FORMATS[received.format];
  const { format, size, whole } = received;
  const read = kind === "image" ? null : await requestReading(env, { key: fileKey(file), format, size }, whole);
  const added = unwrap(
    await roomOf(env, chatId).addFile(readerOf(caller), {
      id,
      objectId,
      name,
      type,
      size: received.size,
      kind,
      ...(read ? factsOf(read) : { characters: 0, isWhole: true, unread: null }),
    }),
  );
  // Another upload of the same id was quicker: this one's bytes are nobody's.
  if (added.objectId !== objectId) await deleteFolder(env.FILES, fileKey(file));
  return toAttachment(chatId, added);
}
