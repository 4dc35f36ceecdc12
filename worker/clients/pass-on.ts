/** Bodies that go to storage as they come, with no more of them in memory than a piece. */
import { AppError } from "../app-error.ts";
import { release } from "./read-whole.ts";

/** Bytes of a piece. */
export const PIECE_BYTES = 64 * 1024;

/**
 * A body cut into equal pieces, only the last one shorter, each in the same memory as the one before: a piece is done with when the next is
 * asked for. Throws UPLOAD_BROKEN where their sender went away.
 */
export async function* readPieces(
  body: ReadableStream<Uint8Array> | null,
  bytes: number = PIECE_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return yield new Uint8Array();
  const reader = body.getReader({ mode: "byob" });
  let size = 0;
  let piece = new Uint8Array(bytes);
  try {
    for (;;) {
      const { value } = await fill(reader, piece);
      if (!value) return;
      piece = new Uint8Array(value.buffer);
      if (value.byteLength === 0 && size > 0) return;
      size += value.byteLength;
      yield value;
      if (value.byteLength < bytes) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    // A single piece is its taker's to keep.
    if (size >= bytes && !piece.buffer.detached) release(piece);
  }
}

async function fill(
  reader: ReadableStreamBYOBReader,
  piece: Uint8Array<ArrayBuffer>,
): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
  try {
    return await reader.readAtLeast(piece.byteLength, piece);
  } catch (cause) {
    throw new AppError("UPLOAD_BROKEN", { cause });
  }
}

/** Passes pieces on as one stream of this length to what stores it. Throws PAYLOAD_TOO_LARGE and UPLOAD_BROKEN where they are more or fewer bytes, after which nothing is stored. */
export async function passOn<T>(
  pieces: AsyncIterable<Uint8Array>,
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
    for await (const piece of pieces) {
      size += piece.byteLength;
      if (size > length) throw new AppError("PAYLOAD_TOO_LARGE");
      await writer.write(piece);
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
