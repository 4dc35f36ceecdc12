/** A table's rows with the place that each has in the source. */
export type CsvRow = { at: number; cells: readonly string[] };
/** The head is as wide as the widest row; a row has only the cells that it was written with. */
export type CsvTable = { head: readonly string[]; rows: readonly CsvRow[]; leftOut: number };
export type CsvOrder = { column: number; isDescending: boolean } | null;

/** Columns that are shown at most. */
const COLUMNS_MAX = 200;

const DELIMITERS = [",", ";", "\t"] as const;

/** Reads comma-, semicolon- or tab-separated values as RFC 4180 has them; the first row is the head. Columns beyond the first 200 are only counted. */
export function readCsv(text: string): CsvTable {
  const records = readRecords(text, delimiterOf(text)).filter((cells) => cells.length > 1 || cells[0] !== "");
  const widest = records.reduce((most, { length }) => Math.max(most, length), 0);
  const width = Math.min(widest, COLUMNS_MAX);
  const [first = [], ...rows] = records;
  return {
    head: Array.from({ length: width }, (_, column) => first[column] ?? ""),
    // Not filled up: many short rows below one wide one would become a hundred times the text.
    rows: rows.map((cells, at) => ({ at, cells: cells.slice(0, COLUMNS_MAX) })),
    leftOut: widest - width,
  };
}

function delimiterOf(text: string): string {
  const line = text.slice(0, (text.indexOf("\n") + 1 || text.length + 1) - 1);
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? ",";
}

function readRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === delimiter) {
      record.push(cell);
      cell = "";
    } else if (sign === "\n") {
      records.push([...record, cell.replace(/\r$/, "")]);
      record = [];
      cell = "";
    } else cell += sign;
  }
  if (cell !== "" || record.length > 0) records.push([...record, cell]);
  return records;
}

/** The rows that hold a text in any cell, whatever its case, in the chosen order: by number where both cells are numbers, else by their letters. */
export function chosenRows({ rows }: CsvTable, { filter, order }: { filter: string; order: CsvOrder }): readonly CsvRow[] {
  const wanted = filter.trim().toLowerCase();
  const matching = wanted === "" ? rows : rows.filter(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(wanted)));
  if (order === null) return matching;
  const { column, isDescending } = order;
  const sorted = matching.toSorted((a, b) => compareCells(a.cells[column] ?? "", b.cells[column] ?? ""));
  return isDescending ? sorted.toReversed() : sorted;
}

const letters = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compareCells(one: string, other: string): number {
  const [a, b] = [toNumber(one), toNumber(other)];
  if (a !== null && b !== null) return a - b;
  // What is empty stands last.
  if (one === "" || other === "") return one === other ? 0 : one === "" ? 1 : -1;
  return letters.compare(one, other);
}

/** For each column whether all that stands in it are numbers. */
export function numericColumns({ head, rows }: CsvTable): readonly boolean[] {
  const hasCells = head.map(() => false);
  const others = head.map(() => false);
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) {
      if (cell === "" || others[column]) continue;
      hasCells[column] = true;
      others[column] = toNumber(cell) === null;
    }
  }
  return head.map((_, column) => hasCells[column] === true && others[column] === false);
}

/** The number that a cell says, without its currency, thousands and per cent signs; null where it says none. */
export function toNumber(cell: string): number | null {
  const bare = cell.replaceAll(/[\s,%€$£¥]/g, "");
  // Digits are taken in one way alone: a long row of them that ends as no number is read once.
  return /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(bare) ? Number(bare) : null;
}
