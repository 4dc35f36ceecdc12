import { describe, expect, test } from "vitest";
import { chosenRows, readCsv, toNumber } from "#web/features/artifact-kinds/csv.ts";
import { fencedWhole } from "#web/features/artifact-kinds/kind-of.ts";

describe("the kind of a document", () => {
  test("is that of the one fenced block it is", () => {
    expect(fencedWhole("```html\n<p>Hi</p>\n```")).toEqual({ kind: "html", source: "<p>Hi</p>" });
    expect(fencedWhole("\n~~~~svg title\n<svg/>\n~~~~\n\n")).toEqual({ kind: "svg", source: "<svg/>" });
    expect(fencedWhole("```mermaid\ngraph TD\n")).toEqual({ kind: "mermaid", source: "graph TD" });
    expect(fencedWhole("````csv\na,b\n```\n1,2\n````")).toEqual({ kind: "csv", source: "a,b\n```\n1,2" });
  });

  test("is markdown where anything stands beside the block, and for other languages", () => {
    expect(fencedWhole("```html\n<p>Hi</p>\n```\n\nMore")).toBeNull();
    expect(fencedWhole("Before\n\n```html\n<p>Hi</p>\n```")).toBeNull();
    expect(fencedWhole("```html\na\n```\n```html\nb\n```")).toBeNull();
    expect(fencedWhole("```js\nlet a\n```")).toBeNull();
    expect(fencedWhole("# A title")).toBeNull();
  });
});

describe("a table of comma-separated values", () => {
  const table = readCsv('Item,Cost,Note\r\n"Rent, office",€21600,"two ""rooms"""\nDesk,900\nPhone,"1,200",new\n');

  test("is read with quotes, commas and line breaks within them, and rows of unequal length", () => {
    expect(table.head).toEqual(["Item", "Cost", "Note"]);
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ["Rent, office", "€21600", 'two "rooms"'],
      ["Desk", "900", ""],
      ["Phone", "1,200", "new"],
    ]);
    expect(readCsv("a;b\n1,5;2").rows[0]?.cells).toEqual(["1,5", "2"]);
  });

  test("sorts by numbers where cells are some, else by letters, both ways", () => {
    const names = (column: number, isDescending = false) =>
      chosenRows(table, { filter: "", order: { column, isDescending } }).map(({ cells }) => cells[0]);
    expect(names(1)).toEqual(["Desk", "Phone", "Rent, office"]);
    expect(names(1, true)).toEqual(["Rent, office", "Phone", "Desk"]);
    expect(names(0)).toEqual(["Desk", "Phone", "Rent, office"]);
    expect(toNumber("12 m")).toBeNull();
  });

  test("shows the rows that hold the text, in any cell and whatever its case", () => {
    expect(chosenRows(table, { filter: "ROOMS", order: null }).map(({ cells }) => cells[0])).toEqual(["Rent, office"]);
  });
});
