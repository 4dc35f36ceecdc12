import { describe, expect, test } from "vitest";
import { chosenRows, numericColumns, readCsv, toNumber } from "#web/features/library/artifact-kinds/csv.ts";
import { parseFencedDocument } from "#web/features/library/artifact-kinds/kind-of.ts";

test("the kind of a document is that of the one fenced block it is", () => {
  expect(parseFencedDocument("```html\n<p>Hi</p>\n```")).toEqual({ kind: "html", source: "<p>Hi</p>" });
  expect(parseFencedDocument("\n~~~~svg title\n<svg/>\n~~~~\n\n")).toEqual({ kind: "svg", source: "<svg/>" });
  expect(parseFencedDocument("```mermaid\ngraph TD\n")).toEqual({ kind: "mermaid", source: "graph TD" });
  expect(parseFencedDocument("````csv\na,b\n```\n1,2\n````")).toEqual({ kind: "csv", source: "a,b\n```\n1,2" });
});

test("the kind of a document is markdown where anything stands beside the block, and for other languages", () => {
  expect(parseFencedDocument("```html\n<p>Hi</p>\n```\n\nMore")).toBeNull();
  expect(parseFencedDocument("Before\n\n```html\n<p>Hi</p>\n```")).toBeNull();
  expect(parseFencedDocument("```html\na\n```\n```html\nb\n```")).toBeNull();
  expect(parseFencedDocument("```js\nlet a\n```")).toBeNull();
  expect(parseFencedDocument("# A title")).toBeNull();
});

test("the kind of a document is reported at once also for one endless word", () => {
  const started = performance.now();
  expect(parseFencedDocument(`\`\`\`${"a".repeat(200_000)}`)).toBeNull();
  expect(performance.now() - started).toBeLessThan(1_000);
});

describe("a table of comma-separated values", () => {
  const table = readCsv('Item,Cost,Note\r\n"Rent, office",€21600,"two ""rooms"""\nDesk,900\nPhone,"1,200",new\n');

  test("a table of comma-separated values is read with quotes, commas and line breaks within them, and rows of unequal length", () => {
    expect(table.head).toEqual(["Item", "Cost", "Note"]);
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ["Rent, office", "€21600", 'two "rooms"'],
      ["Desk", "900"],
      ["Phone", "1,200", "new"],
    ]);
    expect(readCsv("a;b\n1,5;2").rows[0]?.cells).toEqual(["1,5", "2"]);
  });

  test("a table of comma-separated values sorts by numbers where cells are some, else by letters, both ways", () => {
    const names = (column: number, isDescending = false) =>
      chosenRows(table, { filter: "", order: { column, isDescending } }).map(({ cells }) => cells[0]);
    expect(names(1)).toEqual(["Desk", "Phone", "Rent, office"]);
    expect(names(1, true)).toEqual(["Rent, office", "Phone", "Desk"]);
    expect(names(0)).toEqual(["Desk", "Phone", "Rent, office"]);
    expect(toNumber("12 m")).toBeNull();
  });

  test("a table of comma-separated values is read and sorted at once where a cell is a long row of digits that is no number", () => {
    const digits = "7".repeat(60_000);
    const long = readCsv(`Item,Sum\na,${digits}\nb,${digits}!\nc,${"1.".repeat(30_000)}\nd,3`);
    const before = performance.now();
    expect(numericColumns(long)).toEqual([false, false]);
    expect(chosenRows(long, { filter: "", order: { column: 1, isDescending: false } })).toHaveLength(4);
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(["1200", "-1.5", ".5", "2e3", "€1,200"].map(toNumber)).toEqual([1200, -1.5, 0.5, 2000, 1200]);
    expect(["", "1.", "1.2.3", "e3", "-"].map(toNumber)).toEqual([null, null, null, null, null]);
  });

  test("a table of comma-separated values has no more columns than can be shown, says how many are left out, and grows by no cell that nobody wrote", () => {
    const wide = readCsv(`${",".repeat(999)}\n${"a\n".repeat(5_000)}${"b,".repeat(499)}b`);
    expect([wide.head.length, wide.leftOut]).toEqual([200, 800]);
    expect([wide.rows[0]?.cells.length, wide.rows.at(-1)?.cells.length]).toEqual([1, 200]);
    expect([table.head.length, table.leftOut]).toEqual([3, 0]);
    expect(readCsv("a\n1,2,3").head).toEqual(["a", "", ""]);
  });

  test("a table of comma-separated values has columns of numbers, those with nothing but numbers in them", () => {
    expect(numericColumns(table)).toEqual([false, true, false]);
    expect(numericColumns(readCsv("a,b,c\n1,,x\n2,,3"))).toEqual([true, false, false]);
  });

  test("a table of comma-separated values shows the rows that hold the text, in any cell and whatever its case", () => {
    expect(chosenRows(table, { filter: "ROOMS", order: null }).map(({ cells }) => cells[0])).toEqual(["Rent, office"]);
  });
});
