/** A mail's source as it streams in: its header first, then all of it to storage, with no more in memory than a chunk of it. */
import { headerEnd } from "./mail-headers.ts";
import { createMailMeter } from "./mail-meter.ts";
import { joinBytes } from "#worker/platform/join-bytes.ts";

/** Longer headers are refused: programs write a few kilobytes, and folding what is signed takes time by the square of it. */
const HEADER_BYTES = 100 * 1024;

/** The chunks that were read so far, among them all of the header. */
export type OpenedSource = { header: Uint8Array; read: Uint8Array[]; headerBytes: number; reader: ReadableStreamDefaultReader<Uint8Array> };

/** Reads a source up to the end of its header; null where that does not come. */
export async function openSource(raw: ReadableStream<Uint8Array>): Promise<OpenedSource | null> {
  const reader = raw.getReader();
  let start = new Uint8Array();
  for (;;) {
    const { value, done } = await reader.read();
    if (value) start = joinBytes([start, value]);
    const end = headerEnd(start);
    if (end !== null && end <= HEADER_BYTES) return { header: start.subarray(0, end), read: [start], headerBytes: end, reader };
    // A mail may have a header alone.
    if (done && start.length <= HEADER_BYTES) return { header: start, read: [start], headerBytes: start.length, reader };
    if (done || start.length > HEADER_BYTES) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
  }
}

/** How a source was stored: the SHA-256 of its body without spaces and line ends, or why it is not taken. */
export type StoredSource = { ok: true; bodyHash: string } | { ok: false; reason: string };

type Storing = { key: string; size: number; follow: (chunk: Uint8Array) => Promise<void> };

/** Stores the whole source under a key; it is measured, and followed, meanwhile. Of one that is refused nothing is kept. Throws where it was not stored. */
export async function storeSource(files: R2Bucket, { key, size, follow }: Storing, source: OpenedSource): Promise<StoredSource> {
  const meter = createMailMeter();
  const body = new crypto.DigestStream("SHA-256");
  const hashing = body.getWriter();
  body.digest.catch(() => undefined);
  const sized = new FixedLengthStream(size);
  const storing = files.put(key, sized.readable, { httpMetadata: { contentType: "message/rfc822" } });
  const writer = sized.writable.getWriter();
  // Nobody reads on where the storage failed: what is written then would wait for ever.
  storing.catch((cause: unknown) => Promise.allSettled([writer.abort(cause), hashing.abort(cause)]));
  let position = 0;

  async function pass(chunk: Uint8Array): Promise<string | null> {
    const reason = meter.feed(chunk);
    if (reason !== null) return reason;
    const inBody = withoutSpaces(chunk.subarray(Math.min(chunk.length, Math.max(0, source.headerBytes - position))));
    position += chunk.length;
    await Promise.all([writer.write(chunk), inBody.length > 0 && hashing.write(inBody), follow(chunk)]);
    return null;
  }

  const reason = await passAll(source, pass);
  if (reason !== null) {
    await Promise.allSettled([source.reader.cancel(), writer.abort(reason), hashing.abort(reason)]);
    await storing.catch(() => undefined);
    return { ok: false, reason };
  }
  await Promise.all([writer.close(), hashing.close()]);
  await storing;
  return { ok: true, bodyHash: toHex(await body.digest) };
}

/** Bytes without what a relaxed signature lets anybody change on the way (RFC 6376, 3.4.4), in a copy. */
function withoutSpaces(bytes: Uint8Array): Uint8Array {
  const compact = new Uint8Array(bytes.length);
  let length = 0;
  for (const byte of bytes) if (byte !== 32 && (byte < 9 || byte > 13)) compact[length++] = byte;
  return compact.subarray(0, length);
}

async function passAll({ read, reader }: OpenedSource, pass: (chunk: Uint8Array) => Promise<string | null>): Promise<string | null> {
  for (const chunk of read) {
    const reason = await pass(chunk);
    if (reason !== null) return reason;
  }
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return null;
    const reason = await pass(value);
    if (reason !== null) return reason;
  }
}

/** SHA-256 of a text as hexadecimal digits. */
export async function hashText(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
