import { extensionOf, FORMATS, formatBytes, formatOfName, formatOfType } from "#shared/attachment-rules.ts";
import { ATTACHMENT_NAME_LENGTH, ATTACHMENTS_PER_MESSAGE } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { fileKey } from "#worker/library/attachments/attachment-keys.ts";
import { hasTooManyPixels } from "#worker/library/attachments/clean-picture.ts";
import { STILL_READING } from "#worker/library/attachments/readers/extraction.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { readUploadJob, requestReading } from "#worker/library/attachments/read-upload.ts";
import { factsOf, type RoomFile } from "#worker/library/attachments/room-file.ts";
import { sniffFormat } from "#worker/library/attachments/sniff-format.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import type { MailFile } from "./parse-source.ts";

type Place = { chatId: string; mailId: string; ownerId: string };
/** `left` are the names of those that are of no kind that is taken, too large to be shown, or too many. */
type StoredFiles = { files: RoomFile[]; left: string[]; note: string | null };

/** Stores a mail's files as the chat's own, under the rules of uploads; says which are left out. A repeat stores the same under the same names. */
export async function storeMailFiles(env: Env, place: Place, given: readonly MailFile[]): Promise<StoredFiles> {
  const named = given.map((file) => ({ ...file, name: fileName(file) }));
  const known = named.flatMap((file) => {
    const format = sniffFormat(file.name, file.content);
    if (format === null || file.content.length === 0 || hasTooManyPixels(FORMATS[format].type, file.content)) return [];
    return [{ ...file, format }];
  });
  const taken = known.slice(0, ATTACHMENTS_PER_MESSAGE);
  const left = named.filter(({ content }) => taken.every((one) => one.content !== content)).map(({ name }) => name);
  const note =
    left.length === 0 ? null : `Left out, but in the mail's source: ${left.slice(0, 10).join(", ")}${left.length > 10 ? " and more" : ""}.`;
  const bytes = taken.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes === 0) return { files: [], left, note };
  const { ownerId, mailId } = place;
  try {
    const store = () => Promise.all(taken.map((file, index) => keepFile(env, place, { ...file, index })));
    return { files: await withinStorage(env, { ownerId, userId: ownerId, id: mailId, bytes }, store), left, note };
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "STORAGE_FULL") throw cause;
    return { files: [], left, note: `The storage of this chat's owner is full: ${formatBytes(bytes)} of files were left out.` };
  }
}

type Named = MailFile & { format: keyof typeof FORMATS; index: number };

async function keepFile(env: Env, { chatId, mailId }: Place, { name, content, format, index }: Named): Promise<RoomFile> {
  const id = await uuidOfName(`${chatId}/${mailId}/${index}`);
  const { type, kind } = FORMATS[format];
  const key = fileKey({ chatId, id, objectId: id });
  await env.FILES.put(key, content, { httpMetadata: { contentType: type } });
  const file = { id, objectId: id, name, type, kind, size: content.length };
  if (kind === "image") return { ...file, characters: 0, isComplete: true, unread: null };
  if (kind !== "text") {
    // It is read by a job of its own, which the chat waits for.
    await enqueue(env, readUploadJob, { key, format, size: content.length });
    return { ...file, characters: 0, isComplete: true, unread: STILL_READING };
  }
  const read = await requestReading(env, { key, format, size: content.length }, content);
  return { ...file, ...factsOf(read) };
}

/** A file's name without any folder before it; one without a name or extension is called by its type. */
function fileName({ name, type }: MailFile): string {
  const last =
    plainName(name)
      .split(/[/\\]/)
      .at(-1)
      ?.replaceAll(/^[.\s]+/g, "")
      .trim() ?? "";
  const format = formatOfType(type);
  const own = last === "" ? "file" : last;
  const fullName = formatOfName(own) === null && format !== null ? `${own}.${extensionOf(format)}` : own;
  return fullName.length <= ATTACHMENT_NAME_LENGTH ? fullName : fullName.slice(-ATTACHMENT_NAME_LENGTH);
}
