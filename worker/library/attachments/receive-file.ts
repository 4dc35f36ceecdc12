import { type FileFormat, FORMATS, formatOfName } from "#shared/attachment-rules.ts";
import { ATTACHMENT_BYTES } from "#shared/limits.ts";
import { streamToStorage, CHUNK_BYTES, readBodyChunks } from "#worker/platform/clients/stream-body.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { PASSING_BYTES } from "#worker/platform/http/body-memory.ts";
import { createPictureCleaner, hasTooManyPixels, tooManyPixels } from "./clean-picture.ts";
import { sniffFormat } from "./sniff-format.ts";

/** What does not pass as it comes goes to storage in parts of this many bytes (the least that R2 takes). */
const PART_BYTES = 5 * 1024 * 1024;

/** A stored file; `whole` holds its bytes where they came in one part. */
export type ReceivedFile = { format: FileFormat; size: number; whole: Uint8Array | null };

/** A file to receive; `length` in bytes, as far as it was announced. */
type Input = {
  key: string;
  name: string;
  body: ReadableStream<Uint8Array> | null;
  length?: number | null | undefined;
};

/** How many bytes a file takes in memory while it comes. */
export function memoryOfFile(file: Pick<Input, "name" | "length">): number {
  return lengthToPass(file) === null ? Math.min(file.length ?? PART_BYTES, PART_BYTES) : PASSING_BYTES;
}

/** The length of a file that passes as it comes. A picture does not: what says where it was taken has to be seen whole to keep the rest of it. */
function lengthToPass({ name, length = null }: Pick<Input, "name" | "length">): number | null {
  const format = formatOfName(name);
  const isPicture = format !== null && FORMATS[format].kind === "image";
  return length === null || length > ATTACHMENT_BYTES || isPicture ? null : length;
}

/**
 * Streams a body to storage, counting as it goes; a picture loses where it was taken. Throws FILE_TYPE before anything is stored, and
 * FILE_TOO_LARGE where a picture has too many pixels and as soon as there are more than 50 MB, whatever the request's headers said;
 * none leaves anything behind.
 */
export async function receiveFile(files: R2Bucket, { key, name, body, length }: Input): Promise<ReceivedFile> {
  const passing = lengthToPass({ name, length });
  const partBytes = passing === null ? PART_BYTES : CHUNK_BYTES;
  const parts = readBodyChunks(body, { bytes: partBytes });
  const first = (await parts.next()).value ?? new Uint8Array();
  const format = sniffFormat(name, first);
  if (format === null) throw new AppError("FILE_TYPE");
  const { type } = FORMATS[format];
  if (hasTooManyPixels(type, first, first.byteLength < partBytes)) throw tooManyPixels();
  const httpMetadata = { contentType: type };
  const cleaner = createPictureCleaner(type);
  cleaner.feed(first);
  if (first.byteLength < partBytes) {
    await files.put(key, first, { httpMetadata });
    return { format, size: first.byteLength, whole: first };
  }
  if (passing !== null) {
    await streamToStorage(withFirst(first, parts), passing, (sized) => files.put(key, sized, { httpMetadata }));
    return { format, size: passing, whole: null };
  }
  const upload = await files.createMultipartUpload(key, { httpMetadata });
  try {
    const stored = [await upload.uploadPart(1, first)];
    let size = first.byteLength;
    for await (const part of parts) {
      size += part.byteLength;
      if (size > ATTACHMENT_BYTES) throw new AppError("FILE_TOO_LARGE");
      cleaner.feed(part);
      stored.push(await upload.uploadPart(stored.length + 1, part));
    }
    await upload.complete(stored);
    return { format, size, whole: null };
  } catch (cause) {
    // What was stored of it goes; a failure to do so must not hide why, and parts without an end are dropped by the storage itself.
    await upload.abort().catch(() => undefined);
    throw cause;
  }
}

async function* withFirst(first: Uint8Array, others: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield first;
  yield* others;
}
