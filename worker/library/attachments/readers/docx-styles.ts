import { readXml } from "./xml.ts";

/** What stands before a paragraph of a style, by the style's id: a heading's or a list's mark. */
export type StyleMarks = ReadonlyMap<string, string>;

/** The marks of a document's styles. Their ids are in the language of the Word that wrote them; the names of Word's own are not. */
export function readStyleMarks(xml: string): StyleMarks {
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
export function styleMark(name: string): string | null {
  const heading = /^(?:heading|title)\s?([1-6]?)$/i.exec(name);
  if (heading) return `${"#".repeat(Number(heading[1] || 1))} `;
  const list = /^list\s?(?:bullet|number)\s?([2-5]?)$/i.exec(name);
  return list ? listMark(Number(list[1] || 1) - 1) : null;
}

/** A list's mark at a level, 0 the outermost. */
export function listMark(level: number): string {
  return `${"  ".repeat(Math.min(Math.max(level, 0), 8))}- `;
}
