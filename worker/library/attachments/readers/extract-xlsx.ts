import type { ByteSource } from "./byte-source.ts";
import { type Extraction, EXTRACTION_BYTES, TEXT_LENGTH, toExtraction } from "./extraction.ts";
import { folderOf, readRelations, relationsOf } from "./office-parts.ts";
import { type CellFormats, columnOf, joinCells, numberText, readFormats, readSharedStrings, unescape } from "./spreadsheet-cells.ts";
import { readXml } from "./xml.ts";
import { type Allowance, readDirectory, readEntry, type ZipEntry } from "./zip.ts";

const WORKBOOK = "xl/workbook.xml";

/** More sheets are not read: each takes two requests to the storage, and a job has a thousand. */
const SHEETS = 400;

/** What the cells of all sheets share. */
export type Book = { strings: string[]; formats: CellFormats; startsIn1904: boolean };

/** A workbook whose sheets are not read yet; `hasMore` where it has more than are ever read. */
export type Workbook = { book: Book; sheets: { name: string; entry: ZipEntry }[]; hasMore: boolean };

/** A workbook's values, sheet by sheet as comma-separated rows; formulas by the results they were saved with, and by themselves where there are none. */
export async function extractXlsx(source: ByteSource): Promise<Extraction> {
  const allowance = { left: EXTRACTION_BYTES };
  const workbook = await openWorkbook(source, allowance);
  if (!workbook) return { ok: false, reason: NO_WORKBOOK };
  let text = "";
  for (const { name, entry } of workbook.sheets) {
    if (text.length > TEXT_LENGTH || allowance.left === 0) break;
    const rows = sheetRowsAsCsv(await readPart(source, entry, allowance), workbook.book);
    if (rows !== "") text += `## ${name}\n\n${rows}\n\n`;
  }
  return toExtraction(text, { isComplete: allowance.left > 0 && !workbook.hasMore, reason: NO_VALUES });
}

/** What is said of a file that is no workbook, and of one without values. */
export const NO_WORKBOOK = "This is no Excel workbook that can be read.";
export const NO_VALUES = "There are no values in this workbook.";

/** Reads all of a workbook but its sheets; null for what is none. */
export async function openWorkbook(source: ByteSource, allowance: Allowance): Promise<Workbook | null> {
  const entries = await readDirectory(source);
  const part = (name: string) => readPart(source, entries?.get(name), allowance);
  const path = readRelations(await part("_rels/.rels"), "").find(({ kind }) => kind === "officeDocument")?.target ?? WORKBOOK;
  if (!entries?.has(path)) return null;
  const workbook = await part(path);
  const relations = readRelations(await part(relationsOf(path)), folderOf(path));
  const targetOf = (wanted: string) => relations.find(({ kind }) => kind === wanted)?.target ?? `${folderOf(path)}${wanted}.xml`;
  const strings = readSharedStrings(await part(targetOf("sharedStrings")));
  const formats = readFormats(await part(targetOf("styles")));
  const { sheets, startsIn1904 } = readWorkbook(workbook);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const found = sheets.slice(0, SHEETS).flatMap(({ name, relation }) => {
    const entry = entries.get(targets.get(relation) ?? "");
    return entry ? [{ name, entry }] : [];
  });
  return { book: { strings, formats, startsIn1904 }, sheets: found, hasMore: sheets.length > SHEETS };
}

async function readPart(source: ByteSource, entry: ZipEntry | undefined, allowance: Allowance): Promise<string> {
  const bytes = entry && (await readEntry(source, entry, allowance));
  return bytes ? new TextDecoder().decode(bytes) : "";
}

function readWorkbook(xml: string): { sheets: { name: string; relation: string }[]; startsIn1904: boolean } {
  const sheets: { name: string; relation: string }[] = [];
  let startsIn1904 = false;
  for (const event of readXml(xml)) {
    if (event.kind !== "open") continue;
    if (event.name === "workbookPr") startsIn1904 = ["1", "true"].includes(event.attribute("date1904") ?? "");
    if (event.name === "sheet") sheets.push({ name: event.attribute("name") ?? "Sheet", relation: event.attribute("id") ?? "" });
  }
  return { sheets, startsIn1904 };
}

type Cell = { column: number; type: string; style: number; value: string; formula: string };

/** The rows of a sheet's XML, or of a part of it, as comma-separated lines. */
export function sheetRowsAsCsv(xml: string, book: Book): string {
  let text = "";
  let row: (string | undefined)[] = [];
  let cell: Cell | null = null;
  /** What the text being read is. */
  let reading: "value" | "formula" | null = null;
  let isReading = true;
  for (const event of readXml(xml)) {
    if (text.length > TEXT_LENGTH) break;
    if (event.kind === "text") {
      if (reading && isReading && cell) cell[reading] += event.text;
    } else if (event.kind === "open") {
      reading = event.name === "v" || event.name === "t" ? "value" : event.name === "f" ? "formula" : null;
      // How a word is pronounced stands beside it and is no part of it.
      if (event.name === "rPh") isReading = false;
      if (event.name === "row") row = [];
      if (event.name === "c") {
        const column = columnOf(event.attribute("r")) ?? row.length;
        cell = { column, type: event.attribute("t") ?? "n", style: Number(event.attribute("s") ?? 0), value: "", formula: "" };
      }
    } else {
      reading = null;
      if (event.name === "rPh") isReading = true;
      if (event.name === "c" && cell && (cell.value !== "" || cell.formula !== "")) row[cell.column] = shown(cell, book);
      if (event.name === "row" && row.length > 0) text += `${joinCells(row)}\n`;
    }
  }
  return text;
}

function shown({ type, style, value, formula }: Cell, book: Book): string {
  if (value === "") return `=${formula}`;
  switch (type) {
    case "s":
      return book.strings[Number(value)] ?? "";
    case "b":
      return value === "1" ? "TRUE" : "FALSE";
    case "n":
      // What says that it is a number and is none stays as it is.
      return Number.isNaN(Number(value))
        ? value
        : numberText(Number(value), { format: book.formats[style], startsIn1904: book.startsIn1904 });
    default:
      return unescape(value);
  }
}
