/** Where a picture was taken, which its fields for GPS say, is blanked as its bytes come; their number and all else in it stay. */
import { PICTURE_PIXELS } from "#shared/limits.ts";
import { AppError } from "../app-error.ts";
import { crc32 } from "../crc32.ts";
import { pictureSize } from "../users/picture-size.ts";
import { blankPlace } from "./picture-place.ts";

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

/** Takes a picture's bytes in as they come, and blanks what must go in each piece itself. */
export type PictureCleaner = { feed(piece: Uint8Array): void };

/** Says whether a picture has more pixels than browsers should unfold, by the beginning of its file. */
export function hasTooManyPixels(type: string, bytes: Uint8Array, isWhole = true): boolean {
  if (!type.startsWith("image/")) return false;
  const size = pictureSize(type, bytes, isWhole);
  // What names no size within megabytes of its header hides it.
  return size === null ? !isWhole : size.width * size.height > PICTURE_PIXELS;
}

/** The refusal of such a picture. */
export function tooManyPixels(): AppError {
  return new AppError("FILE_TOO_LARGE", { message: `A picture may have up to ${PICTURE_PIXELS / 1_000_000} megapixels.` });
}

/** Blanks the place of a picture whose bytes are all here. */
export function cleanPicture(type: string, bytes: Uint8Array): void {
  createPictureCleaner(type).feed(bytes);
}

/** For the pieces of one file in their order; a block that lies across two of them is blanked whole, as it cannot be read. */
export function createPictureCleaner(type: string): PictureCleaner {
  const format = FORMATS[type];
  if (!format) return { feed: () => undefined };
  let skipped = format.start;
  let blocks = 0;
  let begun = new Uint8Array();
  let open: { left: number; check: Uint8Array | null; isBlanked: boolean } | null = null;

  /** Goes on with the block that the piece before ended in. */
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
      // What is read again may stand in the piece before.
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
