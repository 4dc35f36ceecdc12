/** The records that an Excel workbook of 1993 to 2003 is made of ([MS-XLS] 2.1.4). */

const CONTINUE = 0x003c;
const WIDE = 1;
const HAS_EXTENSION = 4;
const HAS_RUNS = 8;
/** Code pages by their numbers, as far as they are no Windows-1252. */
const ENCODINGS = new Map([
  [866, "ibm866"],
  [874, "windows-874"],
  [932, "shift_jis"],
  [936, "gbk"],
  [949, "euc-kr"],
  [950, "big5"],
  ...[1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258].map((page): [number, string] => [page, `windows-${page}`]),
  [10_000, "macintosh"],
  [10_007, "x-mac-cyrillic"],
  [0x8000, "macintosh"],
]);

/** One record: `data` is its first piece, `pieces` all of them where it was continued; `at` is where it begins. */
export type XlsRecord = { id: number; at: number; data: DataView; pieces: DataView[] };

/** A stream's records in order, continued ones joined. */
export function* readRecords(stream: Uint8Array): Generator<XlsRecord, void, undefined> {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  let open: XlsRecord | null = null;
  for (let at = 0; at + 4 <= view.byteLength;) {
    const id = view.getUint16(at, true);
    const length = Math.min(view.getUint16(at + 2, true), view.byteLength - at - 4);
    const data = new DataView(stream.buffer, stream.byteOffset + at + 4, length);
    if (id === CONTINUE && open) {
      open.pieces.push(data);
    } else {
      if (open) yield open;
      open = { id, at, data, pieces: [data] };
    }
    at += 4 + length;
  }
  if (open) yield open;
}

/** A short string within one record: a byte of flags, then its characters. */
export function readText(data: DataView, at: number, { length }: { length: number }): string {
  const isWide = (data.getUint8(at) & WIDE) !== 0;
  return decode(data, at + 1, { length, isWide });
}

/** A string as Excel 5 and 95 keep it: its bytes alone, in the characters of `codePage`; Windows-1252 where that is not known. */
export function readPlainText(data: DataView, at: number, { length, codePage }: { length: number; codePage: number }): string {
  const size = Math.max(0, Math.min(length, data.byteLength - at));
  return new TextDecoder(ENCODINGS.get(codePage) ?? "windows-1252").decode(new Uint8Array(data.buffer, data.byteOffset + at, size));
}

function decode(data: DataView, at: number, { length, isWide }: { length: number; isWide: boolean }): string {
  const size = Math.max(0, Math.min(isWide ? length * 2 : length, data.byteLength - at));
  const bytes = new Uint8Array(data.buffer, data.byteOffset + at, size);
  return new TextDecoder(isWide ? "utf-16le" : "latin1").decode(bytes);
}

/** The table of strings that cells share. A string's characters may go on in the next piece, after a byte of flags of their own. */
export function readSharedTable(pieces: DataView[]): string[] {
  const strings: string[] = [];
  let index = 0;
  let at = 8;
  const rest = () => (pieces[index]?.byteLength ?? 0) - at;
  const skip = (bytes: number) => {
    let left = bytes;
    while (left > 0 && index < pieces.length) {
      const part = Math.min(left, rest());
      at += part;
      left -= part;
      if (left > 0) [index, at] = [index + 1, 0];
    }
  };
  for (;;) {
    if (rest() < 3) [index, at] = [index + 1, 0];
    const segment = pieces[index];
    if (!segment || rest() < 3) return strings;
    let left = segment.getUint16(at, true);
    let flags = segment.getUint8(at + 2);
    at += 3;
    let after = 0;
    if ((flags & HAS_RUNS) !== 0) {
      after += 4 * segment.getUint16(at, true);
      at += 2;
    }
    if ((flags & HAS_EXTENSION) !== 0) {
      after += segment.getUint32(at, true);
      at += 4;
    }
    let text = "";
    while (left > 0) {
      const current = pieces[index];
      if (!current) return strings;
      const isWide = (flags & WIDE) !== 0;
      const part = Math.min(left, Math.floor(rest() / (isWide ? 2 : 1)));
      text += decode(current, at, { length: part, isWide });
      at += isWide ? part * 2 : part;
      left -= part;
      if (left === 0) break;
      const next = pieces[index + 1];
      if (!next || next.byteLength === 0) return strings;
      [index, at, flags] = [index + 1, 1, next.getUint8(0)];
    }
    strings.push(text);
    skip(after);
  }
}
