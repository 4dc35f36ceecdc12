import { joinBytes } from "#worker/platform/join-bytes.ts";

/** The records of a ZIP file (PKWARE APPNOTE 6.3.10), with ZIP64 where a number does not fit: entries of unknown CRC have a descriptor behind them. */

/** An entry whose bytes are written. Sizes and the offset of its header are in bytes. */
export type ZipEntry = { name: string; at: Date; isDeflated: boolean; crc: number; packed: number; size: number; offset: number };

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;

/** Sizes follow the data; the name is UTF-8. */
const FLAGS = 0x0808;
const VERSION = 20;
const VERSION_64 = 45;
/** Made on Unix, so the attributes below are understood: a plain file that its owner may change and others read. */
const MADE_BY = (3 << 8) | VERSION_64;
const ATTRIBUTES = 0o100644 * 0x10000;
const DEFLATE = 8;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

const encoder = new TextEncoder();

/** The header before an entry's data. */
export function localHeader({ name, at, isDeflated }: Pick<ZipEntry, "name" | "at" | "isDeflated">): Uint8Array {
  const path = encoder.encode(name);
  const record = fields();
  record.u32(LOCAL).u16(VERSION).u16(FLAGS);
  record.u16(isDeflated ? DEFLATE : 0).u32(dosTime(at));
  record.u32(0).u32(0).u32(0).u16(path.length).u16(0);
  return record.bytes(path);
}

/** What follows an entry's data; an entry is always below 4 GB. */
export function descriptor({ crc, packed, size }: Pick<ZipEntry, "crc" | "packed" | "size">): Uint8Array {
  return fields().u32(DESCRIPTOR).u32(crc).u32(packed).u32(size).bytes();
}

/** An entry's record in the central directory. */
export function centralRecord({ name, at, isDeflated, crc, packed, size, offset }: ZipEntry): Uint8Array {
  const path = encoder.encode(name);
  const isFar = offset >= MAX_32;
  const extra = isFar ? fields().u16(1).u16(8).u64(offset).bytes() : new Uint8Array(0);
  const record = fields();
  record
    .u32(CENTRAL)
    .u16(MADE_BY)
    .u16(isFar ? VERSION_64 : VERSION)
    .u16(FLAGS);
  record.u16(isDeflated ? DEFLATE : 0).u32(dosTime(at));
  record.u32(crc).u32(packed).u32(size).u16(path.length).u16(extra.length);
  record
    .u16(0)
    .u16(0)
    .u16(0)
    .u32(ATTRIBUTES)
    .u32(isFar ? MAX_32 : offset);
  return record.bytes(path, extra);
}

/** The records that end a file whose central directory begins at `offset`. */
export function endRecords({ entries, size, offset }: { entries: number; size: number; offset: number }): Uint8Array {
  const isLarge = entries >= MAX_16 || size >= MAX_32 || offset >= MAX_32;
  const record = fields();
  if (isLarge) {
    record.u32(END_64).u64(44).u16(MADE_BY).u16(VERSION_64).u32(0).u32(0);
    record.u64(entries).u64(entries).u64(size).u64(offset);
    record
      .u32(LOCATOR_64)
      .u32(0)
      .u64(offset + size)
      .u32(1);
  }
  const count = Math.min(entries, MAX_16);
  record.u32(END).u16(0).u16(0).u16(count).u16(count);
  record.u32(Math.min(size, MAX_32)).u32(Math.min(offset, MAX_32)).u16(0);
  return record.bytes();
}

/** Numbers in a row, the lowest byte first. */
function fields() {
  const bytes: number[] = [];
  const put = (value: number, width: number) => {
    let rest = value;
    for (let at = 0; at < width; at += 1) {
      bytes.push(rest % 256);
      rest = Math.floor(rest / 256);
    }
    return row;
  };
  const row = {
    u16: (value: number) => put(value, 2),
    u32: (value: number) => put(value, 4),
    u64: (value: number) => put(value, 8),
    bytes: (...after: Uint8Array[]) => joinBytes([Uint8Array.from(bytes), ...after]),
  };
  return row;
}

/** Date and time as DOS has them, in UTC and from 1980 on, to two seconds. */
function dosTime(at: Date): number {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107);
  const date = ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}
