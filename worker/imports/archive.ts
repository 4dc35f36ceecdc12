import { IMPORT_FILE_BYTES } from "#shared/limits.ts";
import { type ByteSource, fromObject } from "#worker/attachments/readers/byte-source.ts";
import { type DirectoryLimits, readDirectory, readEntry, streamEntry, type ZipEntry } from "#worker/attachments/readers/zip.ts";

/** An export with so many files is one of a very busy account; a directory is read no further. */
export const DIRECTORY_ENTRIES = 100_000;
const DIRECTORY: DirectoryLimits = { bytes: 16 * 1024 * 1024, entries: DIRECTORY_ENTRIES };
/** Bytes that are asked of the storage at a time: a Worker may ask it a thousand times in one go. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Text packs to a tenth; who packs better than this packed nothing that anyone wrote. Small entries may. */
const RATIO = 250;
const SMALL_BYTES = 16 * 1024 * 1024;
/** What all its files together may unpack to: a file may be several times as large as what came up, but not endlessly. */
const UNPACKED_BYTES = 2 * 1024 * 1024 * 1024;
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
};

type Stored = { key: string; size: number; name: string };

/** Opens an uploaded export; null where it says that it is a ZIP and cannot be read as one. `unpacked` is how many bytes may be drawn of it. */
export async function openArchive(files: R2Bucket, { key, size, name }: Stored, unpacked = UNPACKED_BYTES): Promise<Archive | null> {
  const source = fromObject(files, { key, size });
  const head = await source.read(0, ZIP.length);
  if (!ZIP.every((byte, index) => head[index] === byte)) return oneFile(source, name);
  const directory = await readDirectory(source, DIRECTORY);
  return directory && !isOverlapping(directory) ? zipped(source, directory, unpacked) : null;
}

/** True where files share bytes, so a little becomes much: no program packs like this. */
function isOverlapping(directory: ReadonlyMap<string, ZipEntry>): boolean {
  const entries = [...directory.values()].toSorted((one, other) => one.headerAt - other.headerAt);
  return entries.some(({ headerAt, packedSize }, index) => {
    const next = entries[index + 1];
    return next !== undefined && headerAt + LOCAL_HEADER_BYTES + (packedSize === UNTOLD ? 0 : packedSize) > next.headerAt;
  });
}

function zipped(source: ByteSource, directory: ReadonlyMap<string, ZipEntry>, unpacked: number): Archive {
  let left = unpacked;
  const files = [...directory].filter(([name]) => !name.endsWith("/") && !name.startsWith("__MACOSX/"));
  return {
    isZip: true,
    entries: new Map(files.map(([name, { size }]) => [name, size])),
    async read(name, limit) {
      const entry = directory.get(name);
      return entry ? readEntry(source, entry, { left: Math.min(limit, mostOf(entry)) }) : null;
    },
    async *stream(name) {
      const entry = directory.get(name);
      if (!entry) return { isCut: true };
      let came = 0;
      for await (const bytes of streamEntry(source, entry, { left: Math.min(left, mostOf(entry)) }, CHUNK_BYTES)) {
        came += bytes.byteLength;
        left -= bytes.byteLength;
        yield bytes;
      }
      return { isCut: came < entry.size };
    },
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
  };
}

/** What is taken out of an entry at most, in bytes, whatever it unpacks to. */
function mostOf({ packedSize }: ZipEntry): number {
  return Math.min(IMPORT_FILE_BYTES, Math.max(SMALL_BYTES, packedSize * RATIO));
}
