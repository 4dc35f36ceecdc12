import { type Extraction, TEXT_LENGTH, toExtraction } from "./extraction.ts";
import { type CellFormat, type CellFormats, formatOf, formatOfCode, joinCells, numberText } from "./spreadsheet-cells.ts";
import { readPlainText, readRecords, readSharedTable, readText, type XlsRecord } from "./xls-records.ts";

/** Records that hold values or what they mean ([MS-XLS] 2.3.2; CODEPAGE and RSTRING matter in Excel 5 and 95). */
const BOF = 0x0809;
const BOUNDSHEET = 0x0085;
const SST = 0x00fc;
const FORMAT = 0x041e;
const XF = 0x00e0;
const DATEMODE = 0x0022;
const CODEPAGE = 0x0042;
const FILEPASS = 0x002f;
const LABELSST = 0x00fd;
const LABEL = 0x0204;
const RSTRING = 0x00d6;
const NUMBER = 0x0203;
const RK = 0x027e;
const MULRK = 0x00bd;
const FORMULA = 0x0006;
const STRING = 0x0207;
const BOOLERR = 0x0205;

const BIFF8 = 0x0600;
/** The kinds of what begins with a BOF: a book's common part, or a sheet. */
const GLOBALS = 0x0005;
/** What a workbook of one of the first versions begins with, and which one that was. */
const FIRST_VERSIONS = new Map([
  [0x0009, "Excel 2, from 1987"],
  [0x0209, "Excel 3, from 1990"],
  [0x0409, "Excel 4, from 1992"],
]);

type Book = {
  sheets: Map<number, string>;
  strings: string[];
  formats: CellFormats;
  own: Map<number, CellFormat>;
  startsIn1904: boolean;
  /** Excel 5 and 95 keep texts as bytes, in the characters of the machine that the book was written on. */
  isPlain: boolean;
  codePage: number;
};
type Sheet = { name: string; rows: Map<number, (string | undefined)[]>; awaitsText: { row: number; column: number } | null };

/** The values of an Excel workbook of 1993 to 2003, sheet by sheet as comma-separated rows. */
export function extractXls(stream: Uint8Array): Extraction {
  const book: Book = {
    sheets: new Map(),
    strings: [],
    formats: [],
    own: new Map(),
    startsIn1904: false,
    isPlain: true,
    codePage: 0,
  };
  const sheets: Sheet[] = [];
  let isBegun = false;
  for (const record of readRecords(stream)) {
    const { id, data, at } = record;
    if (!isBegun && id !== BOF) return tooOld(FIRST_VERSIONS.get(id) ?? "Excel 95 or an older version");
    if (id === FILEPASS) return { ok: false, reason: "This workbook is protected by a password." };
    if (id === BOF) {
      if (!isBegun) book.isPlain = data.getUint16(0, true) < BIFF8;
      isBegun = true;
      if (data.getUint16(2, true) !== GLOBALS) sheets.push({ name: book.sheets.get(at) ?? "Sheet", rows: new Map(), awaitsText: null });
      continue;
    }
    readGlobal(record, book);
    const sheet = sheets.at(-1);
    if (sheet) readCell(record, sheet, book);
  }
  if (!isBegun) return tooOld("Excel 95 or an older version");
  let text = "";
  for (const { name, rows } of sheets) {
    if (text.length > TEXT_LENGTH) break;
    if (rows.size > 0) text += `## ${name}\n\n${rowsText(rows)}\n\n`;
  }
  return toExtraction(text, { isComplete: true, reason: "There are no values in this workbook." });
}

function tooOld(version: string): Extraction {
  return { ok: false, reason: `This workbook is too old to be read: it is in the format of ${version}.` };
}

function rowsText(rows: Map<number, (string | undefined)[]>): string {
  let text = "";
  for (const [, row] of [...rows].toSorted(([a], [b]) => a - b)) {
    if (text.length > TEXT_LENGTH) break;
    text += `${joinCells(row)}\n`;
  }
  return text;
}

function readGlobal({ id, data, pieces }: XlsRecord, book: Book): void {
  switch (id) {
    case BOUNDSHEET:
      book.sheets.set(data.getUint32(0, true), textOf(data, 7, { length: data.getUint8(6), book }));
      return;
    case SST:
      book.strings = readSharedTable(pieces);
      return;
    case FORMAT:
      book.own.set(data.getUint16(0, true), formatOfCode(formatCode(data, book)));
      return;
    case XF:
      book.formats.push(formatOf(data.getUint16(2, true), book.own));
      return;
    case DATEMODE:
      book.startsIn1904 = data.getUint16(0, true) === 1;
      return;
    case CODEPAGE:
      book.codePage = data.getUint16(0, true);
  }
}

function formatCode(data: DataView, book: Book): string {
  return book.isPlain ? textOf(data, 3, { length: data.getUint8(2), book }) : textOf(data, 4, { length: data.getUint16(2, true), book });
}

function textOf(data: DataView, at: number, { length, book }: { length: number; book: Book }): string {
  return book.isPlain ? readPlainText(data, at, { length, codePage: book.codePage }) : readText(data, at, { length });
}

function readCell({ id, data }: XlsRecord, sheet: Sheet, book: Book): void {
  if (id === STRING && sheet.awaitsText) {
    put(sheet, sheet.awaitsText, textOf(data, 2, { length: data.getUint16(0, true), book }));
    sheet.awaitsText = null;
    return;
  }
  if (![LABELSST, LABEL, RSTRING, NUMBER, RK, MULRK, FORMULA, BOOLERR].includes(id)) return;
  const place = { row: data.getUint16(0, true), column: data.getUint16(2, true) };
  const style = data.getUint16(4, true);
  const number = (value: number, xf = style) => numberText(value, { format: book.formats[xf], startsIn1904: book.startsIn1904 });
  switch (id) {
    case LABELSST:
      return put(sheet, place, book.strings[data.getUint32(6, true)] ?? "");
    case LABEL:
    case RSTRING:
      return put(sheet, place, textOf(data, 8, { length: data.getUint16(6, true), book }));
    case NUMBER:
      return put(sheet, place, number(data.getFloat64(6, true)));
    case RK:
      return put(sheet, place, number(unpackRk(data.getUint32(6, true))));
    case MULRK:
      for (let at = 4, { column } = place; at + 6 <= data.byteLength - 2; at += 6, column += 1) {
        put(sheet, { row: place.row, column }, number(unpackRk(data.getUint32(at + 2, true)), data.getUint16(at, true)));
      }
      return undefined;
    case FORMULA:
      return putResult(sheet, place, { data, number });
    default:
      return put(sheet, place, data.getUint8(7) === 0 ? truth(data.getUint8(6)) : "#ERROR");
  }
}

/** A formula's saved result: a number, or what the last two bytes being 0xFFFF say. */
function putResult(
  sheet: Sheet,
  place: { row: number; column: number },
  { data, number }: { data: DataView; number: (value: number) => string },
): void {
  if (data.getUint16(12, true) !== 0xffff) return put(sheet, place, number(data.getFloat64(6, true)));
  const kind = data.getUint8(6);
  if (kind === 0) sheet.awaitsText = place;
  else if (kind === 1) put(sheet, place, truth(data.getUint8(8)));
}

function put({ rows }: Sheet, { row, column }: { row: number; column: number }, value: string): void {
  if (value === "") return;
  const cells = rows.get(row) ?? [];
  cells[column] = value;
  rows.set(row, cells);
}

/** A number packed into 30 bits and two flags ([MS-XLS] 2.5.217). */
function unpackRk(rk: number): number {
  const isHundredfold = (rk & 1) !== 0;
  const isInteger = (rk & 2) !== 0;
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(4, rk & 0xfffffffc, true);
  const value = isInteger ? rk >> 2 : view.getFloat64(0, true);
  return isHundredfold ? value / 100 : value;
}

function truth(value: number): string {
  return value === 0 ? "FALSE" : "TRUE";
}
