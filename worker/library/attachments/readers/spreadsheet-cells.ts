import { TEXT_LENGTH } from "./extraction.ts";
import { readXml } from "./xml.ts";

/** How each of a workbook's cell styles shows numbers. */
export type CellFormat = "date" | "duration" | "number";
export type CellFormats = CellFormat[];

/** Excel's last column, XFD; a reference beyond it is none. */
const COLUMNS = 16_384;
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** Digits that Excel keeps of a number. */
const DIGITS = 15;
/** Days from Excel's two beginnings of time to 1970. */
const DAYS_FROM_1900 = 25_569;
const DAYS_FROM_1904 = 24_107;
const LEAP_1900 = 60;
/** The latest day that Excel knows, 31 December 9999. */
const LAST_DAY = 2_958_465;
/** The built-in format `[h]:mm:ss`. */
const ELAPSED = 46;

/** True for the built-in number formats that show dates or times (ECMA-376, 18.8.30). */
function isDateFormat(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** A column's index from a cell's reference, e.g. 27 of `AB12`; null for none. */
export function columnOf(reference: string | null): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return null;
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return column < COLUMNS ? column : null;
}

/** A row as comma-separated values (RFC 4180), as far as one file's text goes: all its cells may share one long string. */
export function joinCells(row: readonly (string | undefined)[]): string {
  let text = "";
  for (let column = 0; column < row.length && text.length <= TEXT_LENGTH; column += 1) {
    const value = row[column]?.slice(0, TEXT_LENGTH) ?? "";
    text += `${column > 0 ? "," : ""}${/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value}`;
  }
  return text;
}

/** A number as its cell shows what it means; a fraction of its binary form alone is left out, as Excel does. */
export function numberText(value: number, { format, startsIn1904 }: { format: CellFormat | undefined; startsIn1904: boolean }): string {
  if (format === "date") return dateText(value, startsIn1904);
  return format === "duration" ? durationText(value) : String(Number(value.toPrecision(DIGITS)));
}

/** Days as hours, minutes and seconds. */
function durationText(days: number): string {
  const seconds = Math.round(Math.abs(days) * DAY_SECONDS);
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  return `${days < 0 ? "-" : ""}${Math.floor(seconds / 3600)}:${minutes}:${rest}`;
}

/** A text of a workbook without the escapes of characters that XML cannot hold (ECMA-376, 22.4.2.4). */
export function unescape(text: string): string {
  return text
    .replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll("\r\n", "\n");
}

/** A serial number as the date it stands for, in ISO 8601; with its time where it has one. */
export function dateText(serial: number, startsIn1904 = false): string {
  if (!Number.isFinite(serial) || serial < 0 || serial > LAST_DAY) return String(serial);
  // Excel counts a 29 February 1900 that never was.
  const days = startsIn1904 ? serial - DAYS_FROM_1904 : serial - DAYS_FROM_1900 + (serial >= 1 && serial < LEAP_1900 ? 1 : 0);
  const iso = new Date(Math.round(days * DAY_MS)).toISOString();
  if (serial < 1) return iso.slice(11, 19);
  return Number.isInteger(serial) ? iso.slice(0, 10) : iso.slice(0, 19).replace("T", " ");
}

/** What a format's code shows: a date or a time (`yyyy-mm-dd`, `h:mm`), hours that go on beyond a day (`[h]:mm`), or a number; quoted text, colours and what only takes room don't count. */
export function formatOfCode(code: string): CellFormat {
  const plain = code.replaceAll(/"[^"]*"|\\.|[_*]./g, "");
  if (/\[(?:h+|m+|s+)\]/i.test(plain)) return "duration";
  return /[ymdhs]/i.test(plain.replaceAll(/\[[^[\]]*\]/g, "")) ? "date" : "number";
}

/** What a cell style with this format shows; `own` are the codes that the workbook brings. */
export function formatOf(id: number, own: ReadonlyMap<number, CellFormat>): CellFormat {
  return own.get(id) ?? (id === ELAPSED ? "duration" : isDateFormat(id) ? "date" : "number");
}

/** The strings that cells refer to by number. */
export function readSharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  let isReading = true;
  for (const event of readXml(xml)) {
    if (event.kind === "text") {
      if (isText && isReading) text += event.text;
      continue;
    }
    const isOpen = event.kind === "open";
    if (event.name === "si") {
      if (!isOpen) strings.push(unescape(text));
      text = "";
    }
    // How a word is pronounced stands beside it and is no part of it.
    if (event.name === "rPh") isReading = !isOpen;
    isText = isOpen && event.name === "t";
  }
  return strings;
}

/** What each cell style makes of a number. */
export function readFormats(xml: string): CellFormats {
  const own = new Map<number, CellFormat>();
  const formats: CellFormats = [];
  let isCellStyles = false;
  for (const event of readXml(xml)) {
    if (event.kind === "text") continue;
    if (event.name === "cellXfs") isCellStyles = event.kind === "open";
    if (event.kind !== "open") continue;
    const id = Number(event.attribute("numFmtId") ?? 0);
    if (event.name === "numFmt") own.set(id, formatOfCode(event.attribute("formatCode") ?? ""));
    if (event.name === "xf" && isCellStyles) formats.push(formatOf(id, own));
  }
  return formats;
}
