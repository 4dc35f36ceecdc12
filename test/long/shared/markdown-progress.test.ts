import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Door } from "#test/shared/markdown-doors.ts";
import { createReader } from "#test/shared/read-in-thread.ts";
import { cases } from "#test/support/cases.ts";

/** Milliseconds that a text of some thousand characters may take on a busy machine, the start of a thread with them. */
const PATIENCE = 30_000;
const THROUGH: readonly Door[] = ["server", "browser", "stream", "held back", "editor", "a line"];

/** Marks of byte order, nulls, halves of a character, and everything that controls instead of being read. */
const odd = fc.oneof(
  fc.constantFrom(
    "\uFEFF",
    "\uFEFF\uFEFF",
    "\u0000",
    "\uD800",
    "\uDC00",
    "\uDC00\uD800",
    "\uFFFE",
    "\uFFFF",
    "\u2028",
    "\u2029",
    "\u200B",
    "\u202E",
  ),
  fc
    .integer({ min: 0, max: 0x9f })
    .filter((code) => code < 32 || code > 126)
    .map((code) => String.fromCharCode(code)),
);
const oddRun = fc.array(odd, { maxLength: 4 }).map((parts) => parts.join(""));
const part = fc.constantFrom(
  "word",
  "# h",
  "- i",
  "1. n",
  "> q",
  "```",
  "~~~",
  "$$",
  "\\[",
  "| a |\n|---|\n",
  "| b |",
  "[a]: /u",
  "[a]",
  "[^1]",
  "[^1]: n",
  "<div>",
  "<!--",
  "**",
  "_",
  "`",
  "&#0;",
  "&#xFEFF;",
  "\\",
  "www.a.b",
  "a@b.c",
  "\n",
  "\n\n",
  "\r",
  "    ",
  "\t",
);
/** Behind so much the odd ones stand where a long text is parsed in chunks, or a paragraph is frozen. */
const filling = fc.oneof(
  { weight: 5, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[990, 1_498, 3_996, 7_996].map((length) => "word ".repeat(length / 5)),
      "|a".repeat(1_998),
      "> ".repeat(90),
    ),
  },
);
/** Parts with odd characters at each border. */
const bordered = fc.array(fc.tuple(part, oddRun), { maxLength: 6 }).map((parts) => parts.flat().join(""));
const texts = fc.tuple(oddRun, bordered, filling, oddRun, bordered).map((parts) => parts.join(""));

describe("reading markdown", () => {
  const reader = createReader(PATIENCE);
  afterAll(() => reader.close());

  it.each(["\uFEFF\uFEFF", "\uFEFF\uFEFFText", "\uFEFF\uFEFF\uFEFF\n", `\uFEFF\uFEFF${"word ".repeat(2_000)}`, "\uFEFF\uFEFF```\n\uFEFF"])(
    "reading markdown ends for marks of byte order: %#",
    async (text) => {
      expect(await reader.read(text, THROUGH)).toHaveLength(THROUGH.length);
    },
  );

  it("reading markdown ends, whatever stands at its borders", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await reader.read(text, THROUGH)).toHaveLength(THROUGH.length);
      }),
      { ...cases({ sample: 100, full: 50_000 }), endOnFailure: true },
    );
  });
});
