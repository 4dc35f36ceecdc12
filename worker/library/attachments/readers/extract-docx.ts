import type { ByteSource } from "./byte-source.ts";
import { type Extraction, EXTRACTION_BYTES, TEXT_LENGTH, toExtraction } from "./extraction.ts";
import { folderOf, readRelations, relationsOf } from "./office-parts.ts";
import { readXml, type XmlEvent } from "./xml.ts";
import { readDirectory, readEntry } from "./zip.ts";

const MAIN = "word/document.xml";
/** Paragraphs and rows within each other that are kept apart: nobody nests more, but files that mean harm. */
const DEPTH = 40;
/** Columns that one cell may span in Word. */
const SPAN = 63;
/** What older programs show instead, how a word is pronounced, and where moved text was: each says again what stands elsewhere. */
const REPEATED = new Set(["Fallback", "rt", "moveFrom"]);

/** A Word document's text: headings and lists as markdown, a table's row as one line, notes at the end. */
export async function extractDocx(source: ByteSource): Promise<Extraction> {
  const entries = await readDirectory(source);
  const allowance = { left: EXTRACTION_BYTES };
  const part = async (name: string | undefined) => {
    const entry = name === undefined ? undefined : entries?.get(name);
    const bytes = entry && (await readEntry(source, entry, allowance));
    return bytes ? new TextDecoder().decode(bytes) : "";
  };
  const main = readRelations(await part("_rels/.rels"), "").find(({ kind }) => kind === "officeDocument")?.target ?? MAIN;
  if (!entries?.has(main)) return { ok: false, reason: "This is no Word document that can be read." };
  const relations = readRelations(await part(relationsOf(main)), folderOf(main));
  const targetOf = (wanted: string) => relations.find(({ kind }) => kind === wanted)?.target ?? `${folderOf(main)}${wanted}.xml`;
  // Before the text, which may use up what is left to unpack.
  const styles = readStyleMarks(await part(targetOf("styles")));
  const lines: string[] = [];
  for (const name of [main, targetOf("footnotes"), targetOf("endnotes")]) lines.push(...paragraphsOf(await part(name), styles));
  return toExtraction(lines.join("\n\n"), { isComplete: allowance.left > 0, reason: "There is no text in this document." });
}

type Paragraph = { text: string; mark: string };
type Row = { cells: string[]; span: number };

/** The paragraphs of a part of a document in reading order. */
function paragraphsOf(xml: string, styles: StyleMarks): string[] {
  const lines: string[] = [];
  /** What is being read, innermost last: paragraphs stand in the text boxes of others, and tables in tables. */
  const paragraphs: Paragraph[] = [];
  const rows: Row[] = [];
  const open = { p: 0, tr: 0 };
  let note = "";
  let isText = false;
  let repeated = 0;
  let length = 0;

  function endParagraph(): void {
    const paragraph = leave(paragraphs, open.p--);
    const text = paragraph?.text.trim();
    if (!paragraph || !text) return;
    length += text.length;
    if (!addToCell(text)) lines.push(note + paragraph.mark + text);
    note = "";
  }

  function endRow(): void {
    const line = leave(rows, open.tr--)?.cells.join(" | ") ?? "";
    if (line.replaceAll(/[| ]/g, "") !== "" && !addToCell(line)) lines.push(line);
  }

  function addToCell(text: string): boolean {
    const cells = rows.at(-1)?.cells;
    if (!cells || cells.length === 0) return false;
    // Joined without copying: a cell may have as many paragraphs as the file.
    const before = cells.pop();
    cells.push(before ? `${before} ${text}` : text);
    return true;
  }

  for (const event of readXml(xml)) {
    if (length > TEXT_LENGTH) break;
    if (event.kind === "text") {
      const paragraph = paragraphs.at(-1);
      if (isText && repeated === 0 && paragraph) paragraph.text += event.text;
      continue;
    }
    if (REPEATED.has(event.name)) repeated += event.kind === "open" ? 1 : -1;
    if (repeated > 0) continue;
    isText = event.kind === "open" && event.name === "t";
    if (event.kind === "open") {
      if (event.name === "p") enter(paragraphs, { text: "", mark: "" }, (open.p += 1));
      else if (event.name === "tr") enter(rows, { cells: [], span: 1 }, (open.tr += 1));
      else if (event.name === "footnote" || event.name === "endnote") note = `${noteMark(event)}: `;
      else {
        markParagraph(paragraphs.at(-1), event, styles);
        markRow(rows.at(-1), event);
      }
    } else if (event.name === "p") endParagraph();
    else if (event.name === "tr") endRow();
    else if (event.name === "tc") closeCell(rows.at(-1));
  }
  return lines;
}

function enter<T>(stack: T[], item: T, depth: number): void {
  if (depth <= DEPTH) stack.push(item);
}

function leave<T>(stack: T[], depth: number): T | undefined {
  return depth <= DEPTH ? stack.pop() : undefined;
}

type Open = Extract<XmlEvent, { kind: "open" }>;

function markParagraph(paragraph: Paragraph | undefined, event: Open, styles: StyleMarks): void {
  if (!paragraph) return;
  const isList = paragraph.mark.endsWith("- ");
  switch (event.name) {
    case "tab":
      paragraph.text += "\t";
      return;
    case "br":
    case "cr":
      paragraph.text += "\n";
      return;
    case "noBreakHyphen":
      paragraph.text += "-";
      return;
    case "footnoteReference":
    case "endnoteReference":
      paragraph.text += noteMark(event);
      return;
    case "pStyle": {
      const id = event.attribute("val") ?? "";
      paragraph.mark = styles.get(id) ?? styleMark(id) ?? paragraph.mark;
      return;
    }
    case "numPr":
      if (paragraph.mark === "") paragraph.mark = listMark(0);
      return;
    case "ilvl":
      if (isList) paragraph.mark = listMark(Number(event.attribute("val") ?? 0));
      return;
    case "numId":
      // The list of no number: the paragraph was taken out of its style's list.
      if (isList && event.attribute("val") === "0") paragraph.mark = "";
  }
}

function markRow(row: Row | undefined, event: Open): void {
  if (event.name === "tc") row?.cells.push("");
  if (event.name === "gridSpan" && row) row.span = Math.min(Number(event.attribute("val") ?? 1) || 1, SPAN);
}

/** A cell over several columns leaves the others empty, so those after it stay in theirs. */
function closeCell(row: Row | undefined): void {
  if (!row) return;
  for (; row.span > 1; row.span -= 1) row.cells.push("");
}

function noteMark(event: Open): string {
  return `[^${event.name.startsWith("end") ? "e" : ""}${event.attribute("id") ?? ""}]`;
}

/** What stands before a paragraph of a style, by the style's id: a heading's or a list's mark. */
type StyleMarks = ReadonlyMap<string, string>;

/** The marks of a document's styles. Their ids are in the language of the Word that wrote them; the names of Word's own are not. */
function readStyleMarks(xml: string): StyleMarks {
  const marks = new Map<string, string>();
  let id = "";
  for (const event of readXml(xml)) {
    if (event.kind !== "open") continue;
    if (event.name === "style") id = event.attribute("styleId") ?? "";
    const mark = event.name === "name" ? styleMark(event.attribute("val") ?? "") : null;
    if (mark !== null && id !== "") marks.set(id, mark);
  }
  return marks;
}

/** The mark of a style by its name or, where a document defines no styles, by its English id; null for plain text. */
function styleMark(name: string): string | null {
  const heading = /^(?:heading|title)\s?([1-6]?)$/i.exec(name);
  if (heading) return `${"#".repeat(Number(heading[1] || 1))} `;
  const list = /^list\s?(?:bullet|number)\s?([2-5]?)$/i.exec(name);
  return list ? listMark(Number(list[1] || 1) - 1) : null;
}

/** A list's mark at a level, 0 the outermost. */
function listMark(level: number): string {
  return `${"  ".repeat(Math.min(Math.max(level, 0), 8))}- `;
}
