import fc from "fast-check";
import type { Table, TableCell } from "mdast";
import { expect, it } from "vitest";
import { parseMarkdown } from "#shared/markdown/parse.ts";
import { toPlainText } from "#shared/markdown/plain-text.ts";
import { hostOf, safeUrl } from "#shared/markdown/safe-url.ts";
import { columnAlignments, columnLengths, isFigure } from "#shared/markdown/table-data.ts";
import { tableToCsv } from "#shared/markdown/table-to-csv.ts";
import { markdownWithDefinitions } from "./markdown-documents.ts";

function tableOf(text: string): Table {
  const [node] = parseMarkdown(text).children;
  if (node?.type !== "table") throw new Error("The text is no table.");
  return node;
}

it.each([
  ["# Title\n\nSome **bold**, *it*, ~~gone~~ and `code`.", "Title Some bold, it, gone and code."],
  ["- one\n- [x] two\n  1. three", "one two three"],
  ["[a link](http://a.b) ![a picture](http://a.b/c.png)", "a link a picture"],
  ["| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2"],
  ["```js\nlet a;\n```\n\n> quoted", "let a; quoted"],
  ["<div>raw <b>tags</b></div> $x^2$", "raw tags $x^2$"],
  ["a[^1]\n\n[^1]: a note\n\n---\n\n[x]: http://a.b", "a a note"],
  ["", ""],
])("plain text has no markup: %j", (markdown, expected) => {
  expect(toPlainText(markdown, 100)).toBe(expected);
});

it("plain text ends with an ellipsis within the limit, never inside a character", () => {
  expect(toPlainText("one two three", 8)).toBe("one two…");
  expect(toPlainText("ab😀cd", 4)).toBe("ab…");
  expect(toPlainText("word ".repeat(100_000), 20)).toHaveLength(20);
});

it("plain text is the same whether or not a text without markup is parsed", () => {
  const unit = fc.constantFrom(
    "a",
    "é",
    "9",
    " ",
    "\n",
    "\n\n",
    ".",
    ",",
    ":",
    "'",
    '"',
    "(",
    ")",
    "-",
    "–",
    "://",
    "www.",
    "1. ",
    "- ",
    "    ",
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      // The bold word has all of it parsed.
      expect(toPlainText(text, 1_000)).toBe(toPlainText(`${text}\n\n**end**`, 1_000).replace(/ ?end$/, ""));
    }),
  );
});

it("plain text is one line within the limit for any markdown", () => {
  fc.assert(
    fc.property(markdownWithDefinitions, fc.integer({ min: 1, max: 60 }), (markdown, limit) => {
      const text = toPlainText(markdown, limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(text).not.toMatch(/[\r\n\t]/);
    }),
  );
});

it.each(["http://a.b/c?d=e#f", "HTTPS://A.B", "mailto:a@b.c", "tel:+4912345", " https://a.b "])("an address may be a link: %s", (url) => {
  expect(safeUrl(url)).toBe(url.trim());
});

it.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>1</script>",
  "vbscript:x",
  "blob:https://a.b/c",
  "file:///etc/passwd",
  "//evil.example",
  "/settings",
  "#hash",
  "https:evil",
  "http:///a",
  "https://a.b\t/c",
  "",
])("an address may not be a link: %j", (url) => {
  expect(safeUrl(url)).toBeUndefined();
});

it("a link shows the host that is really called", () => {
  expect(hostOf("https://good.example@evil.example:8443/x")).toBe("evil.example");
  expect(hostOf("https://[::1]/x")).toBe("[::1]");
  expect(hostOf("mailto:a@b.c")).toBeUndefined();
});

it("tables become CSV with quotes where needed and without formulas", () => {
  const table = tableOf('| a, b | "q" |\n|---|---|\n| =1+1 | -5 % |\n| **x**<br>y | @cmd |\n');
  expect(tableToCsv(table)).toBe(['"a, b","""q"""', "'=1+1,-5 %", '"x\ny",\'@cmd'].join("\r\n"));
});

it("tables become CSV without what a spreadsheet would run, whatever it begins with", () => {
  const csv = (value: string) => {
    const cell: TableCell = { type: "tableCell", children: [{ type: "text", value }] };
    return tableToCsv({ type: "table", children: [{ type: "tableRow", children: [cell] }] });
  };
  expect(["=1", "+cmd", "-cmd", "@x", "\t=1", "\0=1", "\n=1", "-5"].map(csv)).toEqual([
    "'=1",
    "'+cmd",
    "'-cmd",
    "'@x",
    "'\t=1",
    "'\0=1",
    '"\'\n=1"',
    "-5",
  ]);
});

it("tables align columns of figures to the right, unless the markdown says otherwise", () => {
  const table = tableOf("| a | b | c | d | e |\n|---|---|:--|---|---|\n| x | €1,480 | 1 | 71.2 s | 1 |\n| y | – | 2 | 6 ms | one |");
  expect(columnAlignments(table)).toEqual(["left", "right", "left", "right", "left"]);
});

it("tables know how long the lines of a column are, whatever rows lack of it", () => {
  const table = tableOf("| Name | b | c |\n|---|---|---|\n| x | a sentence of its own | 1 |\n| **Ines** Okafor |");
  expect(columnLengths(table, 16)).toEqual([11, 16, 1]);
});

it.each(["1", "-1.5", "+3 %", "€1,480", "$0.02", "43 KB", "1 234,5", "~10", "12 km/h", "3x"])("tables read %s as a figure", (text) => {
  expect(isFigure(text)).toBe(true);
});

it.each(["", "a1", "1 or 2", "2026-10-02", "GPT-5", "10 apples left", "1.2.3-beta"])("tables do not read %j as a figure", (text) => {
  expect(isFigure(text)).toBe(false);
});
