/** A table's rows with the place that each has in the source. */
export type CsvRow = { at: number; cells: readonly string[] };
export type CsvTable = { head: readonly string[]; rows: readonly CsvRow[] };
export type CsvOrder = { column: number; isDescending: boolean } | null;

const DELIMITERS = [",", ";", "\t"] as const;

/** Reads comma-, semicolon- or tab-separated values as RFC 4180 has them; the first row is the head, and every row as wide as the widest. */
export function readCsv(text: string): CsvTable {
  const records = readRecords(text, delimiterOf(text)).filter((cells) => cells.length > 1 || cells[0] !== "");
  const width = records.reduce((most, { length }) => Math.max(most, length), 0);
  const [head = [], ...rows] = records.map((cells) => [...cells, ...Array.from({ length: width - cells.length }, () => "")]);
  return { head, rows: rows.map((cells, at) => ({ at, cells })) };
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
  const kept = wanted === "" ? rows : rows.filter(({ cells }) => cells.some((cell) => cell.toLowerCase().includes(wanted)));
  if (order === null) return kept;
  const { column, isDescending } = order;
  const sorted = kept.toSorted((a, b) => compareCells(a.cells[column] ?? "", b.cells[column] ?? ""));
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

/** The number that a cell says, without its currency, thousands and per cent signs; null where it says none. */
export function toNumber(cell: string): number | null {
  const bare = cell.replaceAll(/[\s,%€$£¥]/g, "");
  return bare !== "" && /^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(bare) ? Number(bare) : null;
}
