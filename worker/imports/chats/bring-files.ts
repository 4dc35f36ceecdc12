import { type FileFormat, FORMATS, formatOfName } from "#shared/attachment-rules.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { ATTACHMENT_BYTES, ATTACHMENT_NAME_LENGTH, ATTACHMENTS_PER_MESSAGE } from "#shared/limits.ts";
import { fileKey } from "../../attachments/attachment-keys.ts";
import { cleanPicture, hasTooManyPixels, tooManyPixels } from "../../attachments/clean-picture.ts";
import { plainName } from "../../attachments/plain-name.ts";
import { readUploadJob, requestReading } from "../../attachments/read-upload.ts";
import { STILL_READING } from "../../attachments/readers/extraction.ts";
import { factsOf, type RoomFile } from "../../attachments/room-file.ts";
import { sniffFormat } from "../../attachments/sniff-format.ts";
import { enqueue } from "../../jobs/job.ts";
import type { Importing } from "../source.ts";
import type { ForeignFile, TreeMessage } from "./message-tree.ts";

/** Files of one chat, and their bytes together: each is in memory while it is stored, and asks the storage three times. */
const FILES_PER_CHAT = 40;

/** A chat's files as they will be stored: what each becomes, and why the others come as names alone. */
export type PlannedFiles = {
  /** By message, all that it carries. */
  byMessage: Map<string, RoomFile[]>;
  toStore: { file: RoomFile; from: ForeignFile }[];
  /** Of those to store. */
  bytes: number;
  notes: ImportNote[];
  failed: number;
};

/** Decides what becomes of a chat's files, by their names and sizes alone. */
export function planFiles({ archive }: Importing, messages: readonly Pick<TreeMessage, "id" | "files">[], hasRoom: boolean): PlannedFiles {
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
      const common = { characters: 0, isWhole: true, unread: null };
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

function problemOf(from: ForeignFile, { name, size, hasRoom }: { name: string; size: number; hasRoom: boolean }): string | null {
  if (from.text === null && from.entry === null) return "It is not in the export.";
  if (formatOfName(name) === null) return "Files of this type cannot be kept here.";
  if (size > ATTACHMENT_BYTES) return "It is larger than 50 MB.";
  return hasRoom ? null : "Your storage is full.";
}

function lose(planned: PlannedFiles, file: RoomFile, reason: string): void {
  file.isGone = true;
  planned.notes.push({ kind: "file", title: file.name, reason });
  planned.failed += 1;
}

/** Stores a chat's files. What cannot be read of the archive, or is not what its name says, becomes a name alone. */
export async function storeFiles(importing: Importing, chatId: string, planned: PlannedFiles): Promise<void> {
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
