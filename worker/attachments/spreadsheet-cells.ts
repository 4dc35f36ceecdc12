import { readXml } from "./xml.ts";

/** How each of a workbook's cell styles shows numbers. */
export type CellFormats = ("date" | "number")[];

/** Excel's last column, XFD; a reference beyond it is none. */
const COLUMNS = 16_384;
const DAY_MS = 86_400_000;
/** Days from Excel's two beginnings of time to 1970. */
const DAYS_FROM_1900 = 25_569;
const DAYS_FROM_1904 = 24_107;
/** The latest day that Excel knows, 31 December 9999. */
const LAST_DAY = 2_958_465;

/** True for the built-in number formats that show dates or times (ECMA-376, 18.8.30). */
export function isDateFormat(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** A column's index from a cell's reference, e.g. 27 of `AB12`; null for none. */
export function columnOf(reference: string | null): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return null;
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return column < COLUMNS ? column : null;
}

/** A row as comma-separated values (RFC 4180). */
export function joinCells(row: readonly (string | undefined)[]): string {
  return Array.from(row, (value = "") => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(",");
}

/** A serial number as the date it stands for, in ISO 8601; with its time where it has one. */
export function dateText(serial: number, startsIn1904 = false): string {
  if (!Number.isFinite(serial) || serial < 0 || serial > LAST_DAY) return String(serial);
  const iso = new Date(Math.round((serial - (startsIn1904 ? DAYS_FROM_1904 : DAYS_FROM_1900)) * DAY_MS)).toISOString();
  if (serial < 1) return iso.slice(11, 19);
  return Number.isInteger(serial) ? iso.slice(0, 10) : iso.slice(0, 19).replace("T", " ");
}

/** True where a format's code shows a date or a time: `yyyy-mm-dd`, `h:mm`; quoted text and colours in brackets don't count. */
export function showsDate(code: string): boolean {
  return /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ""));
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
      if (!isOpen) strings.push(text);
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
  const dates = new Set<number>();
  const formats: CellFormats = [];
  let isCellStyles = false;
  for (const event of readXml(xml)) {
    if (event.kind === "text") continue;
    if (event.name === "cellXfs") isCellStyles = event.kind === "open";
    if (event.kind !== "open") continue;
    const id = Number(event.attribute("numFmtId") ?? 0);
    if (event.name === "numFmt" && showsDate(event.attribute("formatCode") ?? "")) dates.add(id);
    if (event.name === "xf" && isCellStyles) formats.push(dates.has(id) || isDateFormat(id) ? "date" : "number");
  }
  return formats;
}
