import type { Passage, TextChunk } from "./passage.ts";

/** A passage's length in characters: what it is meant to have, at most, and what is too little to stand alone. */
const TARGET = 1_000;
const MAX = 1_400;
const MIN = 200;
/** So many headings that a passage stands below are kept, and characters of each. */
const HEADINGS = 4;
const HEADING_LENGTH = 120;
const HEADER_LENGTH = 400;

const HEADING = /^(#{1,6})[ \t]+(\S(?:.*\S)?)/;

/** Splits a document that comes chunk by chunk. What it answers may be taken at once: nothing of it changes later. */
export type Splitter = {
  /** The passages that are complete with this chunk. */
  add(piece: TextChunk): Passage[];
  /** The rest. */
  end(): Passage[];
};

type Place = Pick<TextChunk, "page" | "sheet" | "header"> & { isTable: boolean };

/** A splitter that respects pages, sheets, rows and headings; its passages joined are the document's text. */
export function createSplitter(): Splitter {
  let place: Place = { isTable: false };
  let buffer = "";
  /** Where the buffer begins in the document. */
  let start = 0;
  let rows: { first: number; last: number } | null = null;
  let headings: string[] = [];
  let isInCode = false;

  function passage(text: string): Passage {
    const isFirstOfTable = rows?.first === 1;
    const made = {
      start,
      text,
      page: place.page ?? null,
      sheet: place.sheet ?? null,
      row: rows?.first ?? null,
      last_row: rows?.last ?? null,
      heading: place.isTable ? null : headingAt(text),
      header: !place.isTable || isFirstOfTable ? null : (place.header?.slice(0, HEADER_LENGTH) ?? null),
    };
    start += text.length;
    return made;
  }

  /** The headings that a text stands below, those at its beginning counted; what follows it stands below its last ones. */
  function headingAt(text: string): string | null {
    let own: string[] | null = null;
    for (const line of text.split("\n")) {
      if (line.startsWith("```")) isInCode = !isInCode;
      const found = isInCode ? null : HEADING.exec(line);
      if (found) headings = below(headings, found);
      if (line.trim() !== "" && !found) own ??= headings;
    }
    const shown = (own ?? headings).filter((title) => title !== "").slice(-HEADINGS);
    return shown.length === 0 ? null : shown.join(" › ");
  }

  function flush(): Passage[] {
    const made: Passage[] = [];
    while (buffer.length > MAX) made.push(takeTo(cutOf(buffer, place)));
    if (buffer !== "") {
      const rest = place.isTable ? [buffer] : splitAtHeadings(buffer);
      made.push(...rest.map((text) => takeTo(text.length)));
    }
    rows = null;
    return made;
  }

  function takeTo(end: number): Passage {
    const text = buffer.slice(0, end);
    buffer = buffer.slice(end);
    return passage(text);
  }

  function addRow(piece: TextChunk, row: number): Passage[] {
    const isFull = buffer.length > 0 && buffer.length + piece.text.length > TARGET;
    const made = isFull ? flush() : [];
    buffer += piece.text;
    rows = { first: rows?.first ?? row, last: row };
    return made;
  }

  return {
    add(piece) {
      const next = { page: piece.page, sheet: piece.sheet, header: piece.header, isTable: piece.row !== undefined };
      const isSame = next.page === place.page && next.sheet === place.sheet && next.isTable === place.isTable;
      const made = isSame ? [] : flush();
      if (!isSame) place = next;
      if (piece.row !== undefined) return [...made, ...addRow(piece, piece.row)];
      buffer += piece.text;
      // Twice as much, so the end of what is taken is seen in what follows it.
      while (buffer.length > 2 * MAX) made.push(takeTo(cutOf(buffer, place)));
      return made;
    },
    end: flush,
  };
}

function below(headings: readonly string[], [, marks = "", title = ""]: RegExpExecArray): string[] {
  const level = marks.length - 1;
  const outer = Array.from({ length: level }, (_, at) => headings[at] ?? "");
  return [...outer, title.slice(0, HEADING_LENGTH)];
}

/** What is left of a text, one passage below each heading that has enough text before it. */
function splitAtHeadings(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  for (let at = headingAfter(rest); at !== -1; at = headingAfter(rest)) {
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}

/** Where the first heading stands that ends a passage: one with enough text before it; -1 for none. */
function headingAfter(text: string): number {
  for (const match of text.matchAll(/\n(?=#{1,6}[ \t]+\S)/g)) if (match.index + 1 >= MIN) return match.index + 1;
  return -1;
}

/** Where a passage ends in a text that is too long for one: at a heading, else a paragraph, a line, a sentence or a word near its target. */
function cutOf(text: string, { isTable }: Pick<Place, "isTable">): number {
  const head = text.slice(0, MAX);
  const heading = isTable ? -1 : headingAfter(head);
  if (heading !== -1) return heading;
  for (const end of [/\n[ \t]*\n/g, /\n/g, /[.!?…]["')\]]?\s|[。！？]/g, /\s/g]) {
    const cut = lastEnd(head, end);
    if (cut >= TARGET / 2) return cut;
  }
  // No half of a character that takes two units.
  return /[\ud800-\udbff]$/.test(head) ? MAX - 1 : MAX;
}

function lastEnd(text: string, end: RegExp): number {
  let last = -1;
  for (const match of text.matchAll(end)) last = match.index + match[0].length;
  return last;
}
