/** Characters of emphasis or code that are held back until it is closed: more than that is read as it was written. */
const LONGEST = 100;
/** The same for links, whose addresses nobody wants to read. */
const LONGEST_LINK = 1_000;
/** Characters at the end of a line that are looked at. */
const SCANNED_LENGTH = 1_500;

type Opener = { sign: string; at: number; length: number };

/** How much of a growing text is shown: not the markup at its end that waits for its counterpart, nor a table before it is one. */
export function shownLength(text: string): number {
  return Math.min(beforeMarkup(text), beforeTable(text));
}

/** Where the line under a table's head that makes it one may be on its way. */
const DELIMITERS = /^[ \t>|:-]*$/;
const DELIMITER = /^:?-+:?$/;

/** How much of the text stands before what may become a table: a line that begins as its head, with a line of dashes under it that lacks cells. */
function beforeTable(text: string): number {
  const from = text.lastIndexOf("\n") + 1;
  const line = text.slice(from);
  const headFrom = text.lastIndexOf("\n", from - 2) + 1;
  const head = from === 0 ? "" : text.slice(headFrom, from - 1);
  const isLong = text.length - headFrom > LONGEST_LINK;
  if (!isLong && head.includes("|") && DELIMITERS.test(line)) {
    const before = text.slice(text.lastIndexOf("\n", headFrom - 2) + 1, headFrom);
    const isTable = before.includes("|") || sameCells(head, line);
    if (!isTable) return beginsAsRow(head) ? headFrom : from;
  }
  return beginsAsRow(line) && !head.includes("|") && line.length <= LONGEST_LINK ? from : text.length;
}

function beginsAsRow(line: string): boolean {
  return /^[ \t>]*\|/.test(line);
}

function sameCells(head: string, delimiters: string): boolean {
  const cells = cellsOf(delimiters);
  return cells.length === cellsOf(head).length && cells.every((cell) => DELIMITER.test(cell));
}

function cellsOf(row: string): string[] {
  const inner = row.replace(/^[ \t>]*\|?/, "").replace(/(?<!\\)\|[ \t]*$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function beforeMarkup(text: string): number {
  const from = Math.max(text.lastIndexOf("\n") + 1, text.length - SCANNED_LENGTH);
  const unclosed = openersOf(text.slice(from)).find(({ sign, at }) => text.length - from - at <= (sign === "[" ? LONGEST_LINK : LONGEST));
  return unclosed ? from + unclosed.at : text.length;
}

/** What is open at the end of a line, the first one first. */
function openersOf(line: string): Opener[] {
  const open: Opener[] = [];
  let index = 0;
  while (index < line.length) {
    const sign = line.charAt(index);
    const length = runLength(line, index);
    if (sign === "\\") index += 2;
    else if (sign === "`") {
      const end = endOfCode(line, { index, length });
      if (end === null) return [...open, { sign, at: index, length }];
      index = end;
    } else if (sign === "[") {
      open.push({ sign, at: line[index - 1] === "!" ? index - 1 : index, length: 1 });
      index += 1;
    } else if (sign === "]") {
      const end = endOfLink(line, index + 1);
      if (end === null) return open;
      const label = open.findLastIndex((opener) => opener.sign === "[");
      if (label !== -1) open.length = label;
      index = end;
    } else if (sign === "*" || sign === "_" || (sign === "~" && length > 1)) {
      emphasise(line, { open, run: { sign, at: index, length } });
      index += length;
    } else index += 1;
  }
  return open;
}

function runLength(line: string, index: number): number {
  let end = index + 1;
  while (line[end] === line[index]) end += 1;
  return end - index;
}

function endOfCode(line: string, { index, length }: { index: number; length: number }): number | null {
  for (let at = line.indexOf("`", index + length); at !== -1; at = line.indexOf("`", at + runLength(line, at))) {
    if (runLength(line, at) === length) return at + length;
  }
  return null;
}

/** Where a link ends whose label ended before `index`; null where that is still to come. */
function endOfLink(line: string, index: number): number | null {
  if (index === line.length) return null;
  if (line[index] !== "(") return index;
  let depth = 0;
  for (let at = index; at < line.length; at += 1) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === "(") depth += 1;
    else if (line[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

/** Closes what the run closes, or opens what it opens; at the line's end it may yet do either. */
function emphasise(line: string, { open, run }: { open: Opener[]; run: Opener }): void {
  const before = line.charAt(run.at - 1);
  const after = line.charAt(run.at + run.length);
  const opener = open.findLastIndex(({ sign }) => sign === run.sign);
  const opened = open[opener];
  if (opened && /\S/.test(before)) {
    if (run.length >= opened.length) open.length = opener;
    else opened.length -= run.length;
  } else if (!/\s/.test(after) && !(run.sign === "_" && /[\p{L}\p{N}]/u.test(before))) {
    open.push(run);
  }
}
