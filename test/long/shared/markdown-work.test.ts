import fc from "fast-check";
import { expect, it } from "vitest";
import { parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { parseMarkdown } from "#shared/markdown/parse.ts";
import { WorkMeter } from "#shared/markdown/work-meter.ts";
import { hostileMarkdown } from "#test/shared/hostile-markdown.ts";
import { comparable, longParagraph, markdownWithDefinitions } from "#test/shared/markdown-documents.ts";
import { cases, sampleOf } from "#test/support/cases.ts";

/** One text for each loop of the parser that takes long: emphasis, containers, tables, brackets, markup of HTML, code. */
const SAMPLE = [
  "emphasis of two kinds",
  "nested emphasis",
  "quotes in quotes",
  "lists in a line, and lines",
  "lines with pipes",
  "images in images",
  "instructions without an end",
  "code of any length",
];

it("bounded parsing gives what a parse without a meter gives", () => {
  fc.assert(
    fc.property(fc.oneof(markdownWithDefinitions, longParagraph), (text) => {
      const nodes = parseWithin(text, new WorkMeter(REQUEST_UNITS));
      expect(nodes && comparable({ type: "root", children: [...nodes] })).toEqual(comparable(parseMarkdown(text)));
    }),
    cases({ sample: 50, full: 200, fixed: 20_261_120 }),
  );
});

it.each(sampleOf(hostileMarkdown, SAMPLE))("bounded parsing gives up on %s", (_kind, text) => {
  expect(parseWithin(text, new WorkMeter(REQUEST_UNITS))).toBeNull();
});
