import { crc32 } from "#worker/platform/crc32.ts";
import { centralRecord, descriptor, localHeader } from "./format.ts";
import type { SegmentWriter } from "./segments.ts";

/** So much of a text is encoded at once, in UTF-16 units. */
const SLICE = 64 * 1024;

/** A ZIP that is being written, from where an earlier step ended. */
export type Archive = {
  /** Adds a text, deflated. */
  text(name: string, text: string, at?: string): Promise<void>;
  /** Adds bytes as they come; those that are compressed already are stored as they are. */
  file(name: string, body: ReadableStream<Uint8Array>, options: { at: Date; isDeflated: boolean }): Promise<void>;
  entries(): number;
};

type Places = {
  /** Bytes of the ZIP before this step. */
  offset: number;
  data: SegmentWriter;
  directory: SegmentWriter;
};

/** Goes on writing a ZIP. Whatever the size of an entry, a few of its bytes are in memory. */
export function openArchive({ offset, data, directory }: Places): Archive {
  let entries = 0;
  const add = async (name: string, body: AsyncIterable<Uint8Array>, { at, isDeflated }: { at: Date; isDeflated: boolean }) => {
    const begins = offset + data.size();
    await data.write(localHeader({ name, at, isDeflated }));
    const from = data.size();
    let crc = 0;
    let size = 0;
    const seen = async function* () {
      for await (const chunk of body) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        yield chunk;
      }
    };
    for await (const chunk of isDeflated ? deflated(seen()) : seen()) await data.write(chunk);
    const entry = { name, at, isDeflated, crc, packed: data.size() - from, size, offset: begins };
    await data.write(descriptor(entry));
    await directory.write(centralRecord(entry));
    entries += 1;
  };
  return {
    text: (name, text, at) => add(name, encoded(text), { at: at === undefined ? new Date() : new Date(at), isDeflated: true }),
    file: (name, body, options) => add(name, body, options),
    entries: () => entries,
  };
}

async function* encoded(text: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length;) {
    // A pair of surrogates stays together.
    const isSplit = /[\ud800-\udbff]/.test(text.charAt(at + SLICE - 1));
    const slice = text.slice(at, at + SLICE + (isSplit ? 1 : 0));
    at += slice.length;
    yield encoder.encode(slice);
  }
}

async function* deflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new CompressionStream("deflate-raw");
  const writer = writable.getWriter();
  const feed = async () => {
    try {
      for await (const chunk of source) await writer.write(chunk);
      await writer.close();
    } catch (cause) {
      await writer.abort(cause);
      throw cause;
    }
  };
  const fed = feed();
  // The reader learns of the failure first.
  fed.catch(() => undefined);
  yield* readable;
  await fed;
}
