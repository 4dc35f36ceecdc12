import { IMPORT_FILE_BYTES } from "#shared/limits.ts";
import { type ByteSource, fromObject } from "#worker/library/attachments/readers/byte-source.ts";
import {
  type Allowance,
  type DirectoryLimits,
  readDirectory,
  readEntry,
  streamEntry,
  type ZipEntry,
} from "#worker/library/attachments/readers/zip.ts";

/** An export with so many files is one of a very busy account; a directory is read no further. */
export const DIRECTORY_ENTRIES = 100_000;
const DIRECTORY: DirectoryLimits = { bytes: 16 * 1024 * 1024, entries: DIRECTORY_ENTRIES };
/** Bytes that are asked of the storage at a time: a Worker may ask it a thousand times in one go. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Text packs to a tenth; who packs better than this packed nothing that anyone wrote. Small entries may. */
const RATIO = 250;
const SMALL_BYTES = 16 * 1024 * 1024;
/** What its files may unpack to beyond what came up: pictures stay as large as they are, texts grow tenfold, but nothing endlessly. */
const GROWTH_BYTES = 2 * 1024 * 1024 * 1024;
const LOCAL_HEADER_BYTES = 30;
/** A size that stands elsewhere. */
const UNTOLD = 0xffffffff;
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/** An uploaded export: the files of a ZIP, or the one file that it is. */
export type Archive = {
  isZip: boolean;
  /** Sizes in bytes by name. */
  entries: ReadonlyMap<string, number>;
  /** An entry's bytes, at most `limit` of them; null where there is none of that name, or it cannot be unpacked. */
  read(name: string, limit: number): Promise<Uint8Array | null>;
  /** An entry's bytes as they come. The last of them has `isCut`: true where more was announced than came. */
  stream(name: string): AsyncGenerator<Uint8Array, { isCut: boolean }>;
  /** Bytes unpacked since it was opened, an entry that was read twice counted twice. */
  unpacked(): number;
  /** True once it has unpacked all that it may: what was read last may have been cut by that. */
  isExhausted(): boolean;
};

type Stored = { key: string; size: number; name: string };

/** Bytes that an upload of this size may unpack to in all, each time that an entry is read. */
export function maxUnpackedBytes(size: number): number {
  return size + GROWTH_BYTES;
}

/** Opens an uploaded export; null where it says that it is a ZIP and cannot be read as one. `unpackable` is how many bytes may be unpacked of it. */
export async function openArchive(
  files: R2Bucket,
  { key, size, name }: Stored,
  unpackable = maxUnpackedBytes(size),
): Promise<Archive | null> {
  const source = fromObject(files, { key, size });
  const head = await source.read(0, ZIP.length);
  if (!ZIP.every((byte, index) => head[index] === byte)) return oneFile(source, name);
  const directory = await readDirectory(source, DIRECTORY);
  return directory && !isOverlapping(directory) ? zipped(source, directory, unpackable) : null;
}

/** True where files share bytes, so a little becomes much: no program packs like this. */
function isOverlapping(directory: ReadonlyMap<string, ZipEntry>): boolean {
  const entries = [...directory.values()].toSorted((one, other) => one.headerAt - other.headerAt);
  return entries.some(({ headerAt, packedSize }, index) => {
    const next = entries[index + 1];
    return next !== undefined && headerAt + LOCAL_HEADER_BYTES + (packedSize === UNTOLD ? 0 : packedSize) > next.headerAt;
  });
}

function zipped(source: ByteSource, directory: ReadonlyMap<string, ZipEntry>, unpackable: number): Archive {
  let unpacked = 0;
  /** An entry's own allowance within what is left for all, so that several may be read at once. */
  function allowance(most: number): Allowance {
    let taken = 0;
    return {
      get left() {
        return Math.max(0, Math.min(most - taken, unpackable - unpacked));
      },
      set left(left) {
        const bytes = this.left - left;
        taken += bytes;
        unpacked += bytes;
      },
    };
  }
  const files = [...directory].filter(([name]) => !name.endsWith("/") && !name.startsWith("__MACOSX/"));
  return {
    isZip: true,
    entries: new Map(files.map(([name, { size }]) => [name, size])),
    async read(name, limit) {
      const entry = directory.get(name);
      return entry ? readEntry(source, entry, allowance(Math.min(limit, mostOf(entry)))) : null;
    },
    async *stream(name) {
      const entry = directory.get(name);
      if (!entry) return { isCut: true };
      let came = 0;
      for await (const bytes of streamEntry(source, entry, allowance(mostOf(entry)), CHUNK_BYTES)) {
        came += bytes.byteLength;
        yield bytes;
      }
      return { isCut: came < entry.size };
    },
    unpacked: () => unpacked,
    isExhausted: () => unpacked >= unpackable,
  };
}

function oneFile(source: ByteSource, name: string): Archive {
  return {
    isZip: false,
    entries: new Map([[name, source.size]]),
    read: (_name, limit) => source.read(0, Math.min(limit, source.size)),
    async *stream() {
      for (let at = 0; at < source.size; at += CHUNK_BYTES) yield await source.read(at, CHUNK_BYTES);
      return { isCut: false };
    },
    unpacked: () => 0,
    isExhausted: () => false,
  };
}

/** What is taken out of an entry at most, in bytes, whatever it unpacks to. */
function mostOf({ packedSize }: ZipEntry): number {
  return Math.min(IMPORT_FILE_BYTES, Math.max(SMALL_BYTES, packedSize * RATIO));
}
