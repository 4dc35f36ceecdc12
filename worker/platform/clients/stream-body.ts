/** Bodies that go to storage as they come, with no more of them in memory than a chunk. */
import { AppError } from "#worker/platform/errors/app-error.ts";
import { release } from "./read-all-bytes.ts";

/** Bytes of a chunk. */
export const CHUNK_BYTES = 64 * 1024;

/**
 * A body cut into equal chunks, only the last one shorter, each in the same memory as the one before: a chunk is done with when the next is
 * asked for. Throws UPLOAD_BROKEN where their sender went away; where `signal` ends the wait for more, they end or throw.
 */
export async function* readBodyChunks(
  body: ReadableStream<Uint8Array> | null,
  { bytes = CHUNK_BYTES, signal }: { bytes?: number; signal?: AbortSignal } = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return yield new Uint8Array();
  const reader = body.getReader({ mode: "byob" });
  const stop = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", stop);
  let size = 0;
  let chunk = new Uint8Array(bytes);
  try {
    for (;;) {
      const { value } = await fill(reader, chunk);
      if (!value) return;
      chunk = new Uint8Array(value.buffer);
      if (value.byteLength === 0 && size > 0) return;
      size += value.byteLength;
      yield value;
      if (value.byteLength < bytes) return;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    await reader.cancel().catch(() => undefined);
    // A single chunk is its taker's to keep.
    if (size >= bytes && !chunk.buffer.detached) release(chunk);
  }
}

async function fill(
  reader: ReadableStreamBYOBReader,
  chunk: Uint8Array<ArrayBuffer>,
): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
  try {
    return await reader.readAtLeast(chunk.byteLength, chunk);
  } catch (cause) {
    throw new AppError("UPLOAD_BROKEN", { cause });
  }
}

/** Passes chunks on as one stream of this length to what stores it. Throws PAYLOAD_TOO_LARGE and UPLOAD_BROKEN where they are more or fewer bytes, after which nothing is stored. */
export async function streamToStorage<T>(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
  store: (sized: ReadableStream<Uint8Array>) => Promise<T>,
): Promise<T> {
  const { readable, writable } = new FixedLengthStream(length);
  const writer = writable.getWriter();
  const storing = store(readable);
  // Nobody reads on where the storage failed: what is written then would wait for ever.
  storing.catch((cause: unknown) => writer.abort(cause).catch(() => undefined));
  try {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      if (size > length) throw new AppError("PAYLOAD_TOO_LARGE");
      await writer.write(chunk);
    }
    if (size < length) throw new AppError("UPLOAD_BROKEN");
    await writer.close();
  } catch (cause) {
    await writer.abort(cause).catch(() => undefined);
    await storing.catch(() => undefined);
    throw cause;
  }
  return storing;
}
