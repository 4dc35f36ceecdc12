import { ATTACHMENT_BYTES, MESSAGE_LENGTH, RECORDING_BYTES } from "#shared/limits.ts";
import { formatBytes } from "#shared/attachment-rules.ts";
import type { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import { fetchMedia, findMedia } from "#worker/platform/clients/whatsapp/media.ts";
import { release } from "#worker/platform/clients/read-all-bytes.ts";
import { recordingType, type RecordingType } from "#worker/platform/clients/recording-type.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { reserveMemory } from "#worker/platform/http/body-memory.ts";
import { storeMailFiles } from "#worker/mail/inbound/store-mail-files.ts";
import { readRecording, transcribeOnce } from "#worker/conversation/transcriptions/transcribe-recording.ts";
import { fileKey } from "#worker/library/attachments/attachment-keys.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import type { AppMedia, AppMessage } from "./app-message.ts";

type Kind = MessageMessaging["kind"];

/** What a message says to its chat, or why it says nothing there. */
export type Content = { ok: true; kind: Kind; text: string; files: RoomFile[]; note: string | null } | Unread;

/** `isPassing` where the same may be read later. */
type Unread = { ok: false; reason: string; isPassing?: boolean };

/** Where its files go, who owns that chat and with it the files, and who pays. */
type Place = { chatId: string; id: string; ownerId: string; caller: Caller };

const FORMATS = "PDF, Word, Excel, CSV, JSON, text and Markdown files, JPEG, PNG, GIF and WebP pictures, and voice notes";
const LOST = "This file could not be fetched from WhatsApp. Send it again in a moment.";

/** Reads a message: files become the chat's own, a recording its words beside it. */
export async function readContent(env: Env, message: AppMessage, place: Place): Promise<Content> {
  const { type } = message;
  if (message.text) return toTextContent("text", message.text.body);
  if (message.button?.text) return toTextContent("text", message.button.text);
  if (message.location) return toTextContent("place", placeText(message.location));
  if (message.contacts) return toTextContent("contact", contactsText(message.contacts));
  if (message.sticker) return toTextContent("sticker", "(A sticker)");
  if (message.audio) {
    const kind = message.audio.voice === true ? ("voice" as const) : ("file" as const);
    const use = (bytes: Bytes) => recordingOf(env, { bytes, kind }, place);
    return withFile(env, message.audio.id, { limit: RECORDING_BYTES, use });
  }
  const media = message.image ?? message.document;
  if (media) {
    const sent = {
      media,
      kind: message.image ? ("picture" as const) : ("file" as const),
      name: message.image ? "picture" : (media.filename ?? "file"),
    };
    const use = (content: Bytes, declaredType: string) => fileOf(env, { ...sent, content, type: declaredType }, place);
    return withFile(env, media.id, { limit: ATTACHMENT_BYTES, use });
  }
  const what = type === "video" ? "Videos" : type === "order" ? "Orders" : "Messages of this kind";
  return { ok: false, reason: `${what} cannot be read here. I take text, places, contacts, ${FORMATS}.` };
}

function toTextContent(kind: Kind, text: string): Content {
  const cleaned = text.replaceAll("\u0000", "").trim();
  if (cleaned === "") return { ok: false, reason: "This message is empty." };
  const note = cleaned.length > MESSAGE_LENGTH ? "It was longer than a message may be: this is its beginning." : null;
  return { ok: true, kind, text: cleaned.slice(0, MESSAGE_LENGTH).toWellFormed(), files: [], note };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Does something with a file's bytes once there is room for them in memory, which is free again after it. */
async function withFile(
  env: Env,
  id: string,
  { limit, use }: { limit: number; use: (bytes: Bytes, type: string) => Promise<Content> },
): Promise<Content> {
  const found = await findMedia(env, id);
  if (!found.ok) return unfetched(found, limit);
  const { size, type } = found.value;
  if (size > limit) return unfetched({ isTooLarge: true }, limit);
  let leave = () => {};
  try {
    leave = await reserveMemory(size || limit, () => new AppError("STILL_RUNNING"));
    const fetched = await fetchMedia(env, found.value, limit);
    if (!fetched.ok) return unfetched(fetched, limit);
    try {
      return await use(fetched.value, type);
    } finally {
      release(fetched.value);
    }
  } catch (cause) {
    if (cause instanceof AppError && cause.code === "STILL_RUNNING") return unfetched({ isPassing: true }, limit);
    throw cause;
  } finally {
    leave();
  }
}

async function recordingOf(env: Env, { bytes, kind }: { bytes: Bytes; kind: Kind }, place: Place): Promise<Content> {
  const type = recordingType(bytes);
  if (!type)
    return { ok: false, reason: "This recording is of a kind that cannot be heard here. Record it in WhatsApp itself, or write it." };
  try {
    const { text } = await transcribeOnce(env, place.caller, await readRecording(bytes, type));
    if (text.trim() === "") return { ok: false, reason: "I heard no words in this recording." };
    const { chatId, id, ownerId, caller } = place;
    const storedRecording = await storeRecording(env, { chatId, id, ownerId, userId: caller.userId }, { bytes, type });
    const content = toTextContent(kind, text);
    return content.ok ? { ...content, ...storedRecording } : content;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    if (cause.code === "STILL_RUNNING") throw cause;
    return { ok: false, reason: `I could not listen to this recording: ${cause.message}` };
  }
}

type Sent = { media: AppMedia; kind: Kind; name: string; content: Bytes; type: string };

async function fileOf(
  env: Env,
  { media, kind, name, content, type: declaredType }: Sent,
  { chatId, id, ownerId }: Place,
): Promise<Content> {
  const type = ((media.mime_type ?? declaredType).split(";", 1)[0] ?? "").trim();
  const file = { name, type, content };
  const { files, left, note } = await storeMailFiles(env, { chatId, mailId: id, ownerId }, [file]);
  if (files.length === 0) {
    return { ok: false, reason: left.length === 0 && note !== null ? note : `This file cannot be read here. I take ${FORMATS}.` };
  }
  const text = (media.caption ?? "").trim().slice(0, MESSAGE_LENGTH).toWellFormed();
  return { ok: true, kind, text, files, note: null };
}

function unfetched(failure: { isTooLarge: true } | { isPassing: boolean }, limit: number): Unread {
  if ("isTooLarge" in failure) return { ok: false, reason: `This file is too large: at most ${formatBytes(limit)} are taken.` };
  return { ok: false, reason: LOST, isPassing: failure.isPassing };
}

function placeText({ latitude, longitude, name, address }: NonNullable<AppMessage["location"]>): string {
  const at = `${latitude}, ${longitude}`;
  return ["A place:", name, address, at, `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`].filter(Boolean).join("\n");
}

function contactsText(contacts: NonNullable<AppMessage["contacts"]>): string {
  const lines = contacts.map(({ name, phones = [], emails = [] }) =>
    [name?.formatted_name ?? "Somebody", ...phones.map(({ phone }) => phone), ...emails.map(({ email }) => email)]
      .filter(Boolean)
      .join(", "),
  );
  return [lines.length === 1 ? "A contact:" : "Contacts:", ...lines].join("\n");
}

/** `ownerId` owns the chat, and its files; `userId` sent it. */
type RecordingPlace = { chatId: string; id: string; ownerId: string; userId: string };

/** Stores a recording beside its words as a file of the chat; a repeat stores the same. Without room its words alone are kept, and that is said. */
async function storeRecording(
  env: Env,
  { chatId, id: messageId, ownerId, userId }: RecordingPlace,
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
