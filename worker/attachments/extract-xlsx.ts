import type { ByteSource } from "./byte-source.ts";
import { type Extraction, EXTRACTION_BYTES, TEXT_LENGTH, toExtraction } from "./extraction.ts";
import { type CellFormats, columnOf, dateText, joinCells, readFormats, readSharedStrings } from "./spreadsheet-cells.ts";
import { readXml } from "./xml.ts";
import { type Allowance, readDirectory, readEntry, type ZipEntry } from "./zip.ts";

const WORKBOOK = "xl/workbook.xml";

type Book = { strings: string[]; formats: CellFormats; startsIn1904: boolean };

/** A workbook's values, sheet by sheet as comma-separated rows; formulas by the results they were saved with. */
export async function extractXlsx(source: ByteSource): Promise<Extraction> {
  const entries = await readDirectory(source);
  if (!entries?.has(WORKBOOK)) return { ok: false, reason: "This is no Excel workbook that can be read." };
  const allowance = { left: EXTRACTION_BYTES };
  const part = (name: string) => readPart(source, entries.get(name), allowance);
  const workbook = await part(WORKBOOK);
  const targets = targetsOf(await part("xl/_rels/workbook.xml.rels"));
  const strings = readSharedStrings(await part("xl/sharedStrings.xml"));
  const formats = readFormats(await part("xl/styles.xml"));
  const { sheets, startsIn1904 } = readWorkbook(workbook);
  let text = "";
  for (const { name, relation } of sheets) {
    if (text.length > TEXT_LENGTH || allowance.left === 0) break;
    const rows = rowsOf(await part(targets.get(relation) ?? ""), { strings, formats, startsIn1904 });
    if (rows !== "") text += `## ${name}\n\n${rows}\n\n`;
  }
  return toExtraction(text, { isWhole: allowance.left > 0, reason: "There are no values in this workbook." });
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

/** Where the workbook's relations lead, by id. */
function targetsOf(xml: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const event of readXml(xml)) {
    if (event.kind !== "open" || event.name !== "Relationship") continue;
    const target = event.attribute("Target") ?? "";
    targets.set(event.attribute("Id") ?? "", target.startsWith("/") ? target.slice(1) : `xl/${target}`);
  }
  return targets;
}

function rowsOf(xml: string, book: Book): string {
  let text = "";
  let row: (string | undefined)[] = [];
  let cell: { column: number; type: string; style: number; value: string } | null = null;
  let isValue = false;
  for (const event of readXml(xml)) {
    if (text.length > TEXT_LENGTH) break;
    if (event.kind === "text") {
      if (isValue && cell) cell.value += event.text;
    } else if (event.kind === "open") {
      isValue = event.name === "v" || event.name === "t";
      if (event.name === "row") row = [];
      if (event.name === "c") {
        const column = columnOf(event.attribute("r")) ?? row.length;
        cell = { column, type: event.attribute("t") ?? "n", style: Number(event.attribute("s") ?? 0), value: "" };
      }
    } else {
      isValue = false;
      if (event.name === "c" && cell && cell.value !== "") row[cell.column] = shown(cell, book);
      if (event.name === "row" && row.length > 0) text += `${joinCells(row)}\n`;
    }
  }
  return text;
}

function shown({ type, style, value }: { type: string; style: number; value: string }, book: Book): string {
  switch (type) {
    case "s":
      return book.strings[Number(value)] ?? "";
    case "b":
      return value === "1" ? "TRUE" : "FALSE";
    case "n":
      return book.formats[style] === "date" ? dateText(Number(value), book.startsIn1904) : value;
    default:
      return value;
  }
}
