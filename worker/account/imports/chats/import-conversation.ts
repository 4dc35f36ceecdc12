import type { ImportNote } from "#shared/imports/import.ts";
import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { deleteFolder, fileKey, attachmentFolder } from "#worker/library/attachments/attachment-keys.ts";
import { findOwnChat } from "#worker/people/owned-chats/owned-chats.ts";
import { createImportedChat } from "#worker/conversation/chats/import-chat.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import { addCounts, counted, type Importing, type ImportResult } from "../source.ts";
import { claimItem, completeItem } from "../claim-item.ts";
import { type ExternalChat, timeSpanOf, toExported } from "./external-chat.ts";
import type { ExternalFile, TreeMessage } from "./message-tree.ts";
import { fileInProject } from "./project-folder.ts";
import { type FileFormat, formatOfName, FORMATS } from "#shared/attachment-rules.ts";
import { ATTACHMENT_BYTES, ATTACHMENT_NAME_LENGTH, ATTACHMENTS_PER_MESSAGE } from "#shared/limits.ts";
import { cleanPicture, hasTooManyPixels, tooManyPixels } from "#worker/library/attachments/clean-picture.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { readUploadJob, requestReading } from "#worker/library/attachments/read-upload.ts";
import { STILL_READING } from "#worker/library/attachments/readers/extraction.ts";
import { factsOf, type RoomFile } from "#worker/library/attachments/room-file.ts";
import { sniffFormat } from "#worker/library/attachments/sniff-format.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import type { ChatCopy } from "#worker/conversation/room/chat-copy.ts";

/** Files of one chat, and their bytes together: each is in memory while it is stored, and asks the storage three times. */
const FILES_PER_CHAT = 40;

/** A chat's files as they will be stored: what each becomes, and why the others come as names alone. */
type PlannedFiles = {
  /** By message, all that it carries. */
  byMessage: Map<string, RoomFile[]>;
  toStore: { file: RoomFile; from: ExternalFile }[];
  /** Of those to store. */
  bytes: number;
  notes: ImportNote[];
  failed: number;
};

/** Decides what becomes of a chat's files, by their names and sizes alone. */
function planFiles({ archive }: Importing, messages: readonly Pick<TreeMessage, "id" | "files">[], hasRoom: boolean): PlannedFiles {
  const planned: PlannedFiles = { byMessage: new Map(), toStore: [], bytes: 0, notes: [], failed: 0 };
  // Several messages may carry one file.
  const byEntry = new Map<string, RoomFile>();
  for (const { id, files } of messages) {
    const rows: RoomFile[] = [];
    for (const from of files.slice(0, ATTACHMENTS_PER_MESSAGE)) {
      const same = byEntry.get(from.entry ?? "");
      if (same) {
        rows.push(same);
        continue;
      }
      const name = plainName(from.name).trim().slice(-ATTACHMENT_NAME_LENGTH) || "file";
      const size = from.text === null ? (archive.entries.get(from.entry ?? "") ?? 0) : new TextEncoder().encode(from.text).byteLength;
      const format = formatOfName(name);
      const problem =
        planned.toStore.length >= FILES_PER_CHAT ? "This chat has more files than come along." : problemOf(from, { name, size, hasRoom });
      const known = format === null ? { type: "application/octet-stream", kind: "document" as const } : FORMATS[format];
      const common = { characters: 0, isComplete: true, unread: null };
      const file: RoomFile = { ...common, id: crypto.randomUUID(), objectId: crypto.randomUUID(), name, size, ...known };
      if (problem === null) {
        planned.toStore.push({ file, from });
        planned.bytes += size;
      } else lose(planned, file, problem);
      rows.push(file);
      if (from.entry !== null) byEntry.set(from.entry, file);
    }
    for (const { name } of files.slice(ATTACHMENTS_PER_MESSAGE)) {
      planned.notes.push({ kind: "file", title: name, reason: `A message carries ${ATTACHMENTS_PER_MESSAGE} files at most.` });
      planned.failed += 1;
    }
    if (rows.length > 0) planned.byMessage.set(id, rows);
  }
  return planned;
}

function problemOf(from: ExternalFile, { name, size, hasRoom }: { name: string; size: number; hasRoom: boolean }): string | null {
  if (from.text === null && from.entry === null) return "It is not in the export.";
  if (formatOfName(name) === null) return "Files of this type cannot be kept here.";
  if (size > ATTACHMENT_BYTES) return "It is larger than 50 MB.";
  return hasRoom ? null : "Your storage is full.";
}

function lose(planned: PlannedFiles, file: RoomFile, reason: string): void {
  file.isMissing = true;
  planned.notes.push({ kind: "file", title: file.name, reason });
  planned.failed += 1;
}

/** Stores a chat's files. What cannot be read of the archive, or is not what its name says, becomes a name alone. */
async function storeFiles(importing: Importing, chatId: string, planned: PlannedFiles): Promise<void> {
  for (const { file, from } of planned.toStore) {
    const problem = await importing.gate(file.size, () => storeFile(importing, chatId, { file, from }));
    if (problem !== null) lose(planned, file, problem);
  }
}

/** Why a file could not be stored; null where it was. */
async function storeFile(
  { env, archive, rejected }: Importing,
  chatId: string,
  { file, from }: PlannedFiles["toStore"][number],
): Promise<string | null> {
  const entry = from.text === null ? (from.entry ?? "") : null;
  const known = entry === null ? undefined : rejected.get(entry);
  if (known !== undefined) return known;
  // No more than the archive says: there is room for that.
  const unpacked = entry === null ? new TextEncoder().encode(from.text ?? "") : await archive.read(entry, file.size);
  const checked = checkFile(file.name, unpacked);
  if (typeof checked === "string") {
    // What the bound of the whole import cut is not to blame itself.
    if (entry !== null && !archive.isExhausted()) rejected.set(entry, checked);
    return checked;
  }
  const { bytes, format } = checked;
  const { type } = FORMATS[format];
  cleanPicture(type, bytes);
  const key = fileKey({ chatId, id: file.id, objectId: file.objectId });
  file.size = bytes.byteLength;
  await env.FILES.put(key, bytes, { httpMetadata: { contentType: type } });
  if (file.kind === "text") {
    const read = await requestReading(env, { key, format, size: file.size }, bytes);
    if (read.ok) Object.assign(file, factsOf(read));
  } else if (file.kind !== "image") {
    // This very queue reads it: nobody waits for that here.
    await enqueue(env, readUploadJob, { key, format, size: file.size });
    file.unread = STILL_READING;
  }
  return null;
}

/** A file's bytes and what they are; a sentence where they are not what its name says. */
function checkFile(name: string, bytes: Uint8Array | null): { bytes: Uint8Array; format: FileFormat } | string {
  if (!bytes) return "It could not be unpacked.";
  const format = sniffFormat(name, bytes);
  if (format === null) return "It is not what its name says.";
  return hasTooManyPixels(FORMATS[format].type, bytes) ? tooManyPixels().message : { bytes, format };
}

const GROWN = "It had grown since it was imported before, and came as a new chat beside that one.";

/** A chat as its file has it, with its files, and what it is known again by; `version` grows with it. Times are ISO 8601. */
export type ChatToImport = Pick<ExternalChat, "key" | "version" | "title" | "branches"> & {
  messages: readonly Pick<TreeMessage, "id" | "files">[];
  exported: ExportedChat;
  /** What the chat had besides its messages. */
  beside?: Beside;
  /** What has to come before it, for the chat of this id; and the chat as it then is. */
  complete?: (id: string) => Promise<{ chat: ChatToImport; brought: ImportResult }>;
  createdAt: string;
  lastAt: string;
};

/** A to-do list and mails: the bytes that will be stored of them, and how that is done for the chat of an id, as far as there is room. */
export type Beside = {
  bytes: number;
  store(id: string, hasRoom: boolean): Promise<{ beside: NonNullable<ChatCopy["beside"]>; notes: ImportNote[] }>;
};

/** Imports one conversation as a chat of its person's own, once; what was imported before stays as it is. */
export async function importConversation(importing: Importing, place: number, chat: ExternalChat): Promise<ImportResult> {
  const { complete } = chat;
  const { brought: result, id } = await importExportedChat(importing, place, {
    ...toChatToImport(importing, chat),
    ...(complete && {
      async complete(chatId: string) {
        const completedChat = await complete(importing, chatId);
        return { chat: toChatToImport(importing, completedChat.chat), brought: completedChat.brought };
      },
    }),
  });
  if (id !== null && chat.project) await fileInProject(importing, id, chat.project);
  return result;
}

function toChatToImport({ user }: Importing, chat: ExternalChat): ChatToImport {
  const { key, version, title, branches, messages } = chat;
  return { key, version, title, branches, messages, exported: toExported(chat, user), ...timeSpanOf(chat) };
}

/** Imports a chat as its file has it, once; `id` is what it is called here, null where it did not come now. */
export async function importExportedChat(
  importing: Importing,
  place: number,
  chat: ChatToImport,
): Promise<{ brought: ImportResult; id: string | null }> {
  const title = chat.title.trim() || "Untitled";
  if (chat.messages.length === 0) return { brought: failed(title, "It has no messages."), id: null };
  const { env, db, user } = importing;
  const isStill = async (id: string) => (await findOwnChat(db, { id, userId: user.userId })) === "own";
  const claimed = await claimItem(importing, place, { kind: "chat", key: chat.key, version: chat.version, isStill });
  if (claimed.state === "here") return { brought: { counts: counted("chat", "here"), notes: [] }, id: null };
  const { target_id: id, done_at: doneAt } = claimed.row;
  let planned: PlannedFiles;
  const completed = doneAt === null ? await chat.complete?.(id) : undefined;
  try {
    planned = doneAt === null ? await create(importing, id, completed?.chat ?? chat) : planFiles(importing, chat.messages, true);
  } catch (cause) {
    if (!(cause instanceof AppError) || (cause.code !== "INVALID_INPUT" && cause.code !== "PAYLOAD_TOO_LARGE")) throw cause;
    await deleteFolder(env.FILES, attachmentFolder(id));
    const reason = cause.code === "PAYLOAD_TOO_LARGE" ? "It is too long to be imported." : cause.message;
    return { brought: failed(title, reason), id: null };
  }
  await completeItem(importing, claimed.row);
  const { notes, failed: lost } = planned;
  const own: ImportNote[] = claimed.state === "grown" ? [{ kind: "chat", title, reason: GROWN }] : [];
  const counts = [
    counted("message", "came", chat.messages.length),
    counted("branch", "came", chat.branches),
    counted("file", "came", [...new Set([...planned.byMessage.values()].flat())].filter(({ isMissing }) => !isMissing).length),
    counted("file", "failed", lost),
    completed?.brought.counts ?? {},
  ];
  const result = {
    counts: counts.reduce(addCounts, counted("chat", "came")),
    notes: [...own, ...[...(completed?.brought.notes ?? []), ...notes].map((note) => ({ ...note, title: `${note.title} (${title})` }))],
  };
  return { brought: result, id };
}

async function create(importing: Importing, id: string, chat: ChatToImport): Promise<PlannedFiles> {
  const { userId } = importing.user;
  const planned = planFiles(importing, chat.messages, true);
  const bytes = planned.bytes + (chat.beside?.bytes ?? 0);
  if (bytes === 0) return createWith(importing, id, { chat, planned, hasRoom: true });
  try {
    return await withinStorage(importing.env, { ownerId: userId, userId, id, bytes }, () =>
      createWith(importing, id, { chat, planned, hasRoom: true }),
    );
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "STORAGE_FULL") throw cause;
    return createWith(importing, id, { chat, planned: planFiles(importing, chat.messages, false), hasRoom: false });
  }
}

type Planned = { chat: ChatToImport; planned: PlannedFiles; hasRoom: boolean };

async function createWith(importing: Importing, id: string, { chat, planned, hasRoom }: Planned): Promise<PlannedFiles> {
  const { env, db, user } = importing;
  await storeFiles(importing, id, planned);
  const stored = await chat.beside?.store(id, hasRoom);
  planned.notes.push(...(stored?.notes ?? []));
  const { exported, createdAt, lastAt } = chat;
  const importedChat = { id, exported, files: planned.byMessage, createdAt, lastAt, ...(stored && { beside: stored.beside }) };
  await createImportedChat(env, db, { person: user, ...importedChat }, async () => undefined);
  return planned;
}

/** A conversation that did not come, and why. */
export function failed(title: string, reason: string): ImportResult {
  return { counts: counted("chat", "failed"), notes: [{ kind: "chat", title, reason }] };
}
