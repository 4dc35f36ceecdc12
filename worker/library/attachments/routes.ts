import { type ChatSettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import type { Hono } from "hono";
import { deleteAttachment, getAttachment, putAttachment } from "#shared/contracts/chat/attachments.ts";
import type { AppContext, Caller, Env } from "#worker/platform/env.ts";
import { withReservedMemory } from "#worker/platform/http/body-memory.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { plainName } from "./plain-name.ts";
import { memoryOfFile, receiveFile } from "./receive-file.ts";
import { serveAttachment } from "./serve-attachment.ts";
import type { Attachment } from "#shared/entities/attachment.ts";
import { formatOfName, FORMATS } from "#shared/attachment-rules.ts";
import { ATTACHMENT_BYTES } from "#shared/limits.ts";
import { factsOf, type RoomFile } from "./room-file.ts";
import { roomOf } from "./room.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { beginChat, findOwnerId } from "#worker/people/owned-chats/owned-chats.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { deleteFolder, fileKey, attachmentFolder } from "./attachment-keys.ts";
import { noteUpload } from "./queries.ts";
import { requestReading } from "./read-upload.ts";
import { toAttachment } from "./to-attachment.ts";

/** Files one person may upload in an hour. */
const UPLOADS_PER_HOUR = 300;

/** Who uploads; `settings` are what a chat that is made for the file begins with. */
type UploadContext = { env: Env; db: Database; caller: Caller; settings: ChatSettings };

type Input = { chatId: string; id: string; name: string };
/** `length` in bytes, null where the request does not say it. */
type Sent = { body: ReadableStream<Uint8Array> | null; length: number | null };
type Stored = Input & { objectId: string };

/**
 * Takes a file for a message to come: streams it to storage, has the text in it read and adds it to its chat, which is made
 * quietly where there is none. The same id again answers the same. Throws NOT_FOUND, FORBIDDEN, CONFLICT, FILE_TYPE, FILE_TOO_LARGE, STORAGE_FULL,
 * RATE_LIMITED.
 */
async function uploadAttachment(context: UploadContext, { chatId, id, name }: Input, { body, length }: Sent): Promise<Attachment> {
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
      return await store(context, file, { body, length });
    } catch (cause) {
      await deleteFolder(env.FILES, fileKey(file));
      throw cause;
    }
  });
}

/** Deletes an upload of the caller's own that no message carries; one that is gone already is no matter. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
async function withdrawAttachment(env: Env, caller: Caller, { chatId, id }: { chatId: string; id: string }): Promise<void> {
  const isDropped = unwrap(await roomOf(env, chatId).withdrawFile(readerOf(caller), id));
  if (!isDropped) throw new AppError("CONFLICT", { message: "This file was sent with a message and stays with it." });
  await deleteFolder(env.FILES, attachmentFolder(chatId, id));
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

async function store({ env, caller }: UploadContext, file: Stored, sent: Sent): Promise<Attachment> {
  const { chatId, id, name, objectId } = file;
  const received = await receiveFile(env.FILES, { key: fileKey(file), name, ...sent });
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
      ...(read ? factsOf(read) : { characters: 0, isComplete: true, unread: null }),
    }),
  );
  // Another upload of the same id was quicker: this one's bytes are nobody's.
  if (added.objectId !== objectId) await deleteFolder(env.FILES, fileKey(file));
  return toAttachment(chatId, added);
}

export function attachmentRoutes(app: Hono<AppContext>): void {
  serve(app, putAttachment, async ({ c, caller, params, query }) => {
    const file = { chatId: params.id, id: params.attachmentId, name: plainName(query.name) };
    const settings = { ...NO_SETTINGS, tool_categories: c.var.toolPreferences?.defaultCategories ?? [] };
    const context = { env: c.env, db: c.var.db, caller, settings };
    const length = Number(c.req.header("content-length") ?? Number.NaN);
    const sent = { body: c.req.raw.body, length: Number.isFinite(length) ? length : null };
    return { attachment: await withReservedMemory(memoryOfFile({ ...file, ...sent }), () => uploadAttachment(context, file, sent)) };
  });

  serve(app, deleteAttachment, async ({ c, caller, params }) => {
    await withdrawAttachment(c.env, caller, { chatId: params.id, id: params.attachmentId });
    return { ok: true } as const;
  });

  serve(app, getAttachment, ({ c, caller, params }) =>
    serveAttachment(c.env, caller, { chatId: params.id, id: params.attachmentId, ifNoneMatch: c.req.header("if-none-match") }),
  );
}
