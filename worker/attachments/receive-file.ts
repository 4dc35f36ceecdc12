import { type FileFormat, FORMATS } from "#shared/attachment-rules.ts";
import { ATTACHMENT_BYTES } from "#shared/limits.ts";
import { release } from "../clients/read-whole.ts";
import { AppError } from "../app-error.ts";
import { createPictureCleaner, hasTooManyPixels, tooManyPixels } from "./clean-picture.ts";
import { sniffFormat } from "./sniff-format.ts";

/** A large file goes to storage in parts of this many bytes (the least that R2 takes), so no more of it is ever in memory. */
const PART_BYTES = 5 * 1024 * 1024;

/** A stored file; `whole` holds its bytes where they came in one part. */
export type ReceivedFile = { format: FileFormat; size: number; whole: Uint8Array | null };

type Input = {
  key: string;
  name: string;
  body: ReadableStream<Uint8Array> | null;
};

/**
 * Streams a body to storage, counting as it goes; a picture loses where it was taken. Throws FILE_TYPE before anything is stored, and
 * FILE_TOO_LARGE where a picture has too many pixels and as soon as there are more than 50 MB, whatever the request's headers said;
 * none leaves anything behind.
 */
export async function receiveFile(files: R2Bucket, { key, name, body }: Input): Promise<ReceivedFile> {
  const parts = readParts(body);
  const first = (await parts.next()).value ?? new Uint8Array();
  const format = sniffFormat(name, first);
  if (format === null) throw new AppError("FILE_TYPE");
  const { type } = FORMATS[format];
  if (hasTooManyPixels(type, first, first.byteLength < PART_BYTES)) throw tooManyPixels();
  const cleaner = createPictureCleaner(type);
  cleaner.feed(first);
  const httpMetadata = { contentType: type };
  if (first.byteLength < PART_BYTES) {
    await files.put(key, first, { httpMetadata });
    return { format, size: first.byteLength, whole: first };
  }
  const upload = await files.createMultipartUpload(key, { httpMetadata });
  try {
    const stored = [await upload.uploadPart(1, first)];
    let size = first.byteLength;
    for await (const part of parts) {
      cleaner.feed(part);
      stored.push(await upload.uploadPart(stored.length + 1, part));
      size += part.byteLength;
    }
    await upload.complete(stored);
    return { format, size, whole: null };
  } catch (cause) {
    // What was stored of it goes; a failure to do so must not hide why, and parts without an end are dropped by the storage itself.
    await upload.abort().catch(() => undefined);
    throw cause;
  }
}

/**
 * A body cut into equal parts, only the last one shorter, each in the same memory as the one before: a part is done
 * with when the next is asked for. Throws FILE_TOO_LARGE as soon as they are too many, and UPLOAD_BROKEN where their sender went away.
 */
async function* readParts(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return yield new Uint8Array();
  const reader = body.getReader({ mode: "byob" });
  let size = 0;
  let part = new Uint8Array(PART_BYTES);
  try {
    for (;;) {
      const { value } = await fill(reader, part);
      if (!value) return;
      part = new Uint8Array(value.buffer);
      if (value.byteLength === 0 && size > 0) return;
      size += value.byteLength;
      if (size > ATTACHMENT_BYTES) throw new AppError("FILE_TOO_LARGE");
      yield value;
      if (value.byteLength < PART_BYTES) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    // A single part is its taker's to keep.
    if (size >= PART_BYTES && !part.buffer.detached) release(part);
  }
}

async function fill(
  reader: ReadableStreamBYOBReader,
  part: Uint8Array<ArrayBuffer>,
): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
  try {
    return await reader.readAtLeast(part.byteLength, part);
  } catch (cause) {
    throw new AppError("UPLOAD_BROKEN", { cause });
  }
}
