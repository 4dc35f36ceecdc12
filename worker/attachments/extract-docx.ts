import type { ByteSource } from "./byte-source.ts";
import { type Extraction, EXTRACTION_BYTES, TEXT_LENGTH, toExtraction } from "./extraction.ts";
import { readXml } from "./xml.ts";
import { readDirectory, readEntry } from "./zip.ts";

const MAIN = "word/document.xml";
const NOTES = ["word/footnotes.xml", "word/endnotes.xml"];

/** A Word document's text: headings and lists as markdown, a table's row as one line. */
export async function extractDocx(source: ByteSource): Promise<Extraction> {
  const entries = await readDirectory(source);
  const main = entries?.get(MAIN);
  if (!entries || !main) return { ok: false, reason: "This is no Word document that can be read." };
  const allowance = { left: EXTRACTION_BYTES };
  const lines: string[] = [];
  for (const entry of [main, ...NOTES.flatMap((name) => entries.get(name) ?? [])]) {
    const bytes = await readEntry(source, entry, allowance);
    if (bytes) lines.push(...paragraphsOf(new TextDecoder().decode(bytes)));
  }
  return toExtraction(lines.join("\n\n"), { isWhole: allowance.left > 0, reason: "There is no text in this document." });
}

/** The paragraphs of a part of a document in reading order. */
function paragraphsOf(xml: string): string[] {
  const lines: string[] = [];
  /** Cells of the rows being read, innermost last: tables stand in tables. */
  const rows: string[][] = [];
  let text = "";
  let prefix = "";
  let isText = false;
  let isFallback = false;
  let length = 0;
  for (const event of readXml(xml)) {
    if (length > TEXT_LENGTH) break;
    // What older programs show instead says the same again.
    if (event.kind !== "text" && event.name === "Fallback") isFallback = event.kind === "open";
    if (isFallback) continue;
    if (event.kind === "text") {
      if (isText) text += event.text;
      continue;
    }
    if (event.kind === "open") {
      isText = event.name === "t";
      if (event.name === "p") [text, prefix] = ["", ""];
      else if (event.name === "tab") text += "\t";
      else if (event.name === "br" || event.name === "cr") text += "\n";
      else if (event.name === "pStyle") prefix = headingMark(event.attribute("val")) ?? prefix;
      else if (event.name === "numPr" && prefix === "") prefix = "- ";
      else if (event.name === "tr") rows.push([]);
      else if (event.name === "tc") rows.at(-1)?.push("");
      continue;
    }
    isText = false;
    if (event.name === "p" && text.trim() !== "") {
      length += text.length;
      const row = rows.at(-1);
      if (row && row.length > 0) row.push([row.pop(), text.trim()].filter(Boolean).join(" "));
      else lines.push(prefix + text.trim());
      text = "";
    } else if (event.name === "tr") {
      const line = rows.pop()?.join(" | ") ?? "";
      const outer = rows.at(-1);
      if (line.replaceAll(/[| ]/g, "") === "") continue;
      if (outer && outer.length > 0) outer.push([outer.pop(), line].filter(Boolean).join(" "));
      else lines.push(line);
    }
  }
  return lines;
}

function headingMark(style: string | null): string | null {
  const level = /^(?:heading|title)\s?([1-6]?)$/i.exec(style ?? "");
  return level ? `${"#".repeat(Number(level[1] || 1))} ` : null;
}
