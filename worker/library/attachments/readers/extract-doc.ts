import { type Extraction, toExtraction } from "./extraction.ts";

const SIGNATURE = 0xa5ec;
const ENCRYPTED = 0x0100;
const SECOND_TABLE = 0x0200;
/** Where the header says where the table of text pieces is ([MS-DOC] 2.5.6, fcClx). */
const CLX_AT = 0x01a2;
const PIECE_TABLE = 2;
/** A piece's position with this bit is half of it, and its characters are of one byte. */
const ONE_BYTE = 0x4000_0000;
const FIELD_BEGIN = 0x13;
const FIELD_RESULT = 0x14;
const FIELD_END = 0x15;
const SPACE = 0x20;
/** The end of a cell; a row ends with one more, so two are a row's end, or an empty cell's. */
const CELL = "\u0007";
/** A tab, the ends of lines, pages and paragraphs, and a hyphen that no line is broken at. */
const MARKS = new Map([
  [0x07, CELL],
  [0x09, "\t"],
  [0x0a, "\n"],
  [0x0b, "\n"],
  [0x0c, "\n"],
  [0x0d, "\n"],
  [0x1e, "-"],
]);

/** The text of a Word 97-2003 document ([MS-DOC]): its pieces in order, without the codes of fields. */
export function extractDoc(stream: (name: string) => Uint8Array | null): Extraction {
  const main = stream("WordDocument");
  if (!main) return { ok: false, reason: "This is no Word document that can be read." };
  const header = viewOf(main);
  const flags = header.getUint16(10, true);
  if ((flags & ENCRYPTED) !== 0) return { ok: false, reason: "This document is protected by a password." };
  if (header.getUint16(0, true) !== SIGNATURE) {
    return { ok: false, reason: "This document is too old to be read: it is in the format of Word 95 or an older version." };
  }
  const table = stream((flags & SECOND_TABLE) === 0 ? "0Table" : "1Table");
  if (!table) return { ok: false, reason: "This document is damaged and could not be read." };
  const clx = table.subarray(header.getUint32(CLX_AT, true), header.getUint32(CLX_AT, true) + header.getUint32(CLX_AT + 4, true));
  return toExtraction(plainText(readPieceTable(main, clx)), { isComplete: true, reason: "There is no text in this document." });
}

function readPieceTable(main: Uint8Array, clx: Uint8Array): string {
  const view = viewOf(clx);
  let at = 0;
  // Formatting stands before the pieces.
  while (at < clx.byteLength && view.getUint8(at) !== PIECE_TABLE) at += 3 + view.getUint16(at + 1, true);
  const count = Math.floor((view.getUint32(at + 1, true) - 4) / 12);
  const positions = at + 5;
  const wide = new TextDecoder("utf-16le");
  const narrow = new TextDecoder("windows-1252");
  let text = "";
  // Pieces may overlap in the file, so the text and not the file ends the reading of a hostile one.
  for (let piece = 0; piece < count && text.length <= main.byteLength; piece += 1) {
    const length = view.getUint32(positions + (piece + 1) * 4, true) - view.getUint32(positions + piece * 4, true);
    const place = view.getUint32(positions + (count + 1) * 4 + piece * 8 + 2, true);
    const isNarrow = (place & ONE_BYTE) !== 0;
    const from = isNarrow ? (place & ~ONE_BYTE) / 2 : place;
    text += (isNarrow ? narrow : wide).decode(main.subarray(from, from + Math.max(0, isNarrow ? length : length * 2)));
  }
  return text;
}

/** Word's own marks as text: paragraphs, cells, breaks; a field's code goes, its result stays. */
function plainText(text: string): string {
  let plain = "";
  /** For each field around this place, whether it is in its code; and in how many codes it is. */
  const fields: boolean[] = [];
  let codes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code === FIELD_BEGIN) {
      fields.push(true);
      codes += 1;
    } else if (code === FIELD_RESULT || code === FIELD_END) {
      if (fields.pop()) codes -= 1;
      if (code === FIELD_RESULT) fields.push(false);
    } else if (codes === 0) plain += MARKS.get(code) ?? (code < SPACE ? "" : character);
  }
  return plain.replaceAll(CELL + CELL, "\n").replaceAll(CELL, " | ");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
