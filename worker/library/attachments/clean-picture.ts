/** Where a picture was taken, which its fields for GPS say, is blanked as its bytes come; their number and all else in it stay. */
import { PICTURE_PIXELS } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { crc32 } from "#worker/platform/crc32.ts";
import { pictureSize } from "#worker/people/profile/picture-size.ts";

/** What a picture's metadata say of where it was taken: EXIF's fields for GPS, XMP's properties of the same names, and texts that hold either. */

const EXIF_HEADER = "Exif\0\0";
/** EXIF, XMP and what surrounds them as text fields of a PNG, which may be compressed or written as digits. */
const TEXT_FIELD = /^(?:Raw profile type [^\0]{1,60}|XML:com\.adobe\.xmp)\0/;
const UNCOMPRESSED_XMP = "XML:com.adobe.xmp\0\0\0";

/** The tag of the directory of GPS fields (EXIF 2.32, 4.6.3). */
const GPS_TAG = 0x8825;
/** Directories of one file, fields of one for GPS, and bytes of a field: far more than cameras write. */
const DIRECTORIES = 8;
const FIELDS = 64;
const FIELD_BYTES = 65_536;
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/** Blanks it in one block of metadata; true where something was there. */
function blankPlace(bytes: Uint8Array): boolean {
  const head = latin1(bytes.subarray(0, 100));
  if (head.startsWith(EXIF_HEADER)) return blankExif(bytes.subarray(EXIF_HEADER.length));
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return blankExif(bytes);
  if (TEXT_FIELD.test(head) && !head.startsWith(UNCOMPRESSED_XMP)) {
    bytes.fill(0);
    return true;
  }
  return blankXmp(bytes);
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** TIFF 6: directories, each with the place of the next. */
function blankExif(tiff: Uint8Array): boolean {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = tiff[0] === 0x49;
  let isFound = false;
  try {
    let directory = view.getUint32(4, isLittle);
    for (let count = 0; directory > 0 && count < DIRECTORIES; count += 1) {
      const fields = view.getUint16(directory, isLittle);
      for (let index = 0; index < fields; index += 1) {
        const at = directory + 2 + 12 * index;
        if (view.getUint16(at, isLittle) !== GPS_TAG) continue;
        blankDirectory(tiff, view.getUint32(at + 8, isLittle), isLittle);
        isFound = true;
        break;
      }
      directory = view.getUint32(directory + 2 + 12 * fields, isLittle);
    }
  } catch (error) {
    // A directory that lies outside of its file is nobody's.
    if (!(error instanceof RangeError)) throw error;
  }
  return isFound;
}

/** Leaves an empty directory, and nothing of what its fields said. */
function blankDirectory(tiff: Uint8Array, from: number, isLittle: boolean): void {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const fields = Math.min(view.getUint16(from, isLittle), FIELDS);
  view.setUint16(from, 0, isLittle);
  for (let index = 0; index < fields; index += 1) {
    const at = from + 2 + 12 * index;
    const bytes = (TYPE_BYTES[view.getUint16(at + 2, isLittle)] ?? 1) * view.getUint32(at + 4, isLittle);
    const value = view.getUint32(at + 8, isLittle);
    if (bytes > 4) tiff.fill(0, value, value + Math.min(bytes, FIELD_BYTES));
    tiff.fill(0, at, at + 12);
  }
}

/** XMP writes each as an attribute or an element: `exif:GPSLatitude="…"`, `<exif:GPSLatitude>…</exif:GPSLatitude>`. */
function blankXmp(bytes: Uint8Array): boolean {
  const text = latin1(bytes);
  let isFound = false;
  for (let at = text.indexOf(":GPS"); at !== -1; at = text.indexOf(":GPS", at)) {
    at += 4;
    while (/[A-Za-z]/.test(text.charAt(at))) at += 1;
    while (/\s/.test(text.charAt(at))) at += 1;
    const isAttribute = text.charAt(at) === "=";
    if (isAttribute)
      do at += 1;
      while (/\s/.test(text.charAt(at)));
    const mark = text.charAt(at);
    const end = isAttribute ? (mark === '"' || mark === "'" ? mark : null) : mark === ">" ? "<" : null;
    if (end === null) continue;
    const until = text.indexOf(end, at + 1);
    bytes.fill(SPACE, at + 1, until === -1 ? bytes.length : until);
    isFound = true;
    if (until === -1) break;
    at = until;
  }
  return isFound;
}

const SPACE = 32;

/** What stands in a picture one after the other: a header, what it announces, and what is checked by (PNG). */
type Block = { length: number; isMeta: boolean };
type Format = {
  /** Bytes before the first block, and of a block's header. */
  start: number;
  header: number;
  /** Bytes behind each block that are a checksum of it. */
  check: 0 | 4;
  /** What a header announces; a number where so many of its bytes are none; null where the rest of the file is pixels. */
  read(header: DataView): Block | number | null;
};

const FORMATS: Record<string, Format> = {
  "image/jpeg": { start: 2, header: 4, check: 0, read: readJpeg },
  "image/png": { start: 8, header: 8, check: 4, read: readPng },
  "image/webp": { start: 12, header: 8, check: 0, read: readWebp },
};

/** Bytes of a block that may say where a picture was taken, and blocks of one file: far more than programs write. */
const META_BYTES = 8 * 1024 * 1024;
const BLOCKS = 50_000;

/** Takes a picture's bytes in as they come, and blanks what must go in each chunk itself. */
export type PictureCleaner = { feed(piece: Uint8Array): void };

/** Says whether a picture has more pixels than browsers should unfold, by the beginning of its file. */
export function hasTooManyPixels(type: string, bytes: Uint8Array, isComplete = true): boolean {
  if (!type.startsWith("image/")) return false;
  const size = pictureSize(type, bytes, isComplete);
  // What names no size within megabytes of its header hides it.
  return size === null ? !isComplete : size.width * size.height > PICTURE_PIXELS;
}

export function tooManyPixels(): AppError {
  return new AppError("FILE_TOO_LARGE", { message: `A picture may have up to ${PICTURE_PIXELS / 1_000_000} megapixels.` });
}

/** Blanks the place of a picture whose bytes are all here. */
export function cleanPicture(type: string, bytes: Uint8Array): void {
  createPictureCleaner(type).feed(bytes);
}

/** For the chunks of one file in their order; a block that lies across two of them is blanked whole, as it cannot be read. */
export function createPictureCleaner(type: string): PictureCleaner {
  const format = FORMATS[type];
  if (!format) return { feed: () => undefined };
  let skipped = format.start;
  let blocks = 0;
  let begun = new Uint8Array();
  let open: { left: number; check: Uint8Array | null; isBlanked: boolean } | null = null;

  /** Goes on with the block that the chunk before ended in. */
  function goOn(piece: Uint8Array): number {
    if (!open) return 0;
    const count = Math.min(open.left, piece.length);
    const { check, isBlanked, left } = open;
    if (isBlanked) {
      for (let at = 0; at < count; at += 1) {
        const fromEnd = left - at;
        piece[at] = check !== null && fromEnd <= check.length ? (check[check.length - fromEnd] ?? 0) : 0;
      }
    }
    open.left -= count;
    if (open.left === 0) open = null;
    return count;
  }

  /** Reads the block that begins at `from`; answers where the next one does. */
  function readBlock({ header, check, read }: Format, piece: Uint8Array, from: number): number {
    const wanted = header - begun.length;
    const head = new Uint8Array(header);
    head.set(begun);
    head.set(piece.subarray(from, from + wanted), begun.length);
    if (piece.length - from < wanted) {
      begun = head.slice(0, begun.length + piece.length - from);
      return piece.length;
    }
    const behind = from + wanted;
    const block = read(new DataView(head.buffer));
    if (typeof block === "number") {
      begun = new Uint8Array();
      // What is read again may stand in the chunk before.
      const again = head.slice(block);
      const isHere = wanted >= again.length;
      if (!isHere) begun = again.slice(0, again.length - wanted);
      return isHere ? behind - again.length : from;
    }
    begun = new Uint8Array();
    if (block === null) {
      skipped = Infinity;
      return piece.length;
    }
    const end = behind + block.length + check;
    const isMeta = block.isMeta && block.length <= META_BYTES;
    if (end <= piece.length) {
      const payload = piece.subarray(behind, behind + block.length);
      if (isMeta && blankPlace(payload) && check > 0) piece.set(checksum(head.subarray(4), payload), behind + block.length);
      return end;
    }
    const isChecked = isMeta && check > 0;
    open = { left: end - behind, check: isChecked ? checksum(head.subarray(4), new Uint8Array(block.length)) : null, isBlanked: isMeta };
    return behind + goOn(piece.subarray(behind));
  }

  return {
    feed(piece) {
      const before = Math.min(skipped, piece.length);
      skipped -= before;
      let at = before + goOn(piece.subarray(before));
      while (at < piece.length && skipped === 0) {
        at = readBlock(format, piece, at);
        if ((blocks += 1) > BLOCKS) skipped = Infinity;
      }
    },
  };
}

/** ITU T.81, B.1.1: segments until the first scan; other bytes between them are passed over, as decoders do. */
function readJpeg(header: DataView): Block | number | null {
  const marker = header.getUint8(1);
  if (header.getUint8(0) !== 0xff || marker === 0xff) return 1;
  if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) return 2;
  if (marker === 0xd9 || marker === 0xda) return null;
  const length = header.getUint16(2) - 2;
  return length < 0 ? 2 : { length, isMeta: marker === 0xe1 };
}

/** PNG 3, 5.3: chunks with the checksums of their types and data. */
function readPng(header: DataView): Block | null {
  const type = fourCharacters(header, 4);
  return type === "IEND" ? null : { length: header.getUint32(0), isMeta: ["eXIf", "iTXt", "tEXt", "zTXt"].includes(type) };
}

/** RFC 9649: chunks, padded to an even length. */
function readWebp(header: DataView): Block {
  const type = fourCharacters(header, 0);
  const length = header.getUint32(4, true);
  return { length: length + (length % 2), isMeta: type === "EXIF" || type === "XMP " };
}

function fourCharacters(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
}

/** PNG 3, 5.5. */
function checksum(type: Uint8Array, data: Uint8Array): Uint8Array {
  const check = new Uint8Array(4);
  new DataView(check.buffer).setUint32(0, crc32(data, crc32(type, 0)));
  return check;
}
