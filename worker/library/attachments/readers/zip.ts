import type { ByteSource } from "./byte-source.ts";

/** One file in a zip archive: where its packed bytes are. */
export type ZipEntry = { name: string; method: number; packedSize: number; size: number; headerAt: number };

/** How long a directory may be, in bytes and in entries. */
export type DirectoryLimits = { bytes: number; entries: number };

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
/** The end record and the longest comment that may follow it, in bytes (APPNOTE 4.3.16). */
const END_BYTES = 22;
const COMMENT_BYTES = 0xffff;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** An office document has dozens of files; more bytes than these are no directory of one. */
const OFFICE_DIRECTORY: DirectoryLimits = { bytes: 1024 * 1024, entries: 5_000 };
const STORED = 0;
const DEFLATED = 8;

/** An archive's entries by name, from its directory at the end; null for what is no sound archive. */
export async function readDirectory(source: ByteSource, limits = OFFICE_DIRECTORY): Promise<Map<string, ZipEntry> | null> {
  const tailBytes = Math.min(source.size, END_BYTES + COMMENT_BYTES);
  const tail = view(await source.read(source.size - tailBytes, tailBytes));
  let at = tail.byteLength - END_BYTES;
  while (at >= 0 && tail.getUint32(at, true) !== END_SIGNATURE) at -= 1;
  if (at < 0) return null;
  const size = tail.getUint32(at + 12, true);
  const from = tail.getUint32(at + 16, true);
  if (size > limits.bytes || from + size > source.size) return null;
  return parseDirectory(view(await source.read(from, size)), limits.entries);
}

function parseDirectory(directory: DataView, limit: number): Map<string, ZipEntry> | null {
  const entries = new Map<string, ZipEntry>();
  const decoder = new TextDecoder();
  for (let at = 0; at + ENTRY_BYTES <= directory.byteLength && entries.size < limit;) {
    if (directory.getUint32(at, true) !== ENTRY_SIGNATURE) return null;
    const nameBytes = directory.getUint16(at + 28, true);
    const next = at + ENTRY_BYTES + nameBytes + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
    if (at + ENTRY_BYTES + nameBytes > directory.byteLength) return null;
    // Some programs on Windows write paths as they have them there.
    const name = decoder.decode(new Uint8Array(directory.buffer, directory.byteOffset + at + ENTRY_BYTES, nameBytes)).replaceAll("\\", "/");
    entries.set(name, {
      name,
      method: directory.getUint16(at + 10, true),
      packedSize: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      headerAt: directory.getUint32(at + 42, true),
    });
    at = next;
  }
  return entries;
}

/** What may still be unpacked, in bytes: one allowance for all of a document's parts, whatever sizes its archive claims. */
export type Allowance = { left: number };

/** An entry's bytes, cut where the allowance ends; null for what cannot be unpacked. */
export async function readEntry(source: ByteSource, entry: ZipEntry, allowance: Allowance): Promise<Uint8Array | null> {
  const header = view(await source.read(entry.headerAt, LOCAL_BYTES));
  if (header.byteLength < LOCAL_BYTES || header.getUint32(0, true) !== LOCAL_SIGNATURE) return null;
  const from = entry.headerAt + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  // Deflate never makes text larger by more than a few bytes in a block, so more packed bytes than may come out are of no use.
  const packed = await source.read(from, Math.min(entry.packedSize, allowance.left + 1024));
  if (entry.method === STORED) return take(packed, allowance);
  return entry.method === DEFLATED ? inflate(packed, allowance) : null;
}

const CHUNK_BYTES = 256 * 1024;

/** An entry's bytes chunk by chunk, so never much of it is in memory, cut where the allowance ends. What is broken is read as far as it goes. */
export async function* streamEntry(
  source: ByteSource,
  entry: ZipEntry,
  allowance: Allowance,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<Uint8Array> {
  const header = view(await source.read(entry.headerAt, LOCAL_BYTES));
  if (header.byteLength < LOCAL_BYTES || header.getUint32(0, true) !== LOCAL_SIGNATURE) return;
  const from = entry.headerAt + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (entry.method !== STORED && entry.method !== DEFLATED) return;
  let at = 0;
  const packed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await source.read(from + at, Math.min(chunkBytes, entry.packedSize - at));
        at += chunk.byteLength;
        if (chunk.byteLength > 0) controller.enqueue(chunk);
        if (chunk.byteLength === 0 || at >= entry.packedSize) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const reader = (entry.method === STORED ? packed : packed.pipeThrough(new DecompressionStream("deflate-raw"))).getReader();
  try {
    while (allowance.left > 0) {
      const { done, value } = await reader.read();
      if (done) return;
      yield take(value, allowance);
    }
  } catch {
    // Broken or cut bytes: what came out before was read.
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function take(bytes: Uint8Array, allowance: Allowance): Uint8Array {
  const part = bytes.subarray(0, allowance.left);
  allowance.left -= part.byteLength;
  return part;
}

async function inflate(packed: Uint8Array, allowance: Allowance): Promise<Uint8Array | null> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const chunks: Uint8Array[] = [];
  try {
    while (allowance.left > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(take(value, allowance));
    }
  } catch {
    // Broken or cut bytes: what came out before is kept, as a reader of a damaged file would want.
    if (chunks.length === 0) return null;
  }
  await reader.cancel().catch(() => undefined);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
