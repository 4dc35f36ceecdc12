import fc from "fast-check";
import type { Root } from "mdast";
import { type Block, toRoot } from "#shared/markdown/block.ts";
import { emptyDocument, growDocument, type MarkdownDocument } from "#shared/markdown/incremental.ts";
import { parseMarkdown } from "#shared/markdown/parse.ts";

const inline = "a|foo bar| |  |    |\t|*|**|_|__|~~|`|$|$$|\\(|\\)|\\[|\\]|\\|[|]|(|)|![|<b>|</b>|<!--|-->|&amp;|&|:|=|-|漢字|😀";
const lines = "\n|\n|\n\n|  \n|\\\n|\r\n|\r|> |- |* |+ |1. |2) |\n- |\n  - |\n1. |# |## |***|- [ ] t|- [x] u";
const blocks = "```|```js\n|\n```\n|~~~\n|$$\n|\\[\n|\n---\n|\n===\n|<div>\n|<script>|</script>|<https://a.b>|http://x.y|www.q.z|e@f.gh";
const tables = ["|", "| a | b |\n", "|---|---|\n", "\n| c | d |", "\n:--|:-:\n"];
const atoms = [...`${inline}|${lines}|${blocks}`.split("|"), ...tables];
const definitions = ["[a]", "[a]: /u", "\n[a]: /u", '\n[b]: <x> "t"', "[^1]", "\n[^1]: note", "\n    more"];

/** Any markdown at all, without definitions, whose resolution has to wait for the end of the text. */
export const markdownWithoutDefinitions = fc
  .array(fc.constantFrom(...atoms), { minLength: 1, maxLength: 40 })
  .map((parts) => parts.join(""))
  .filter((text) => !text.includes("]:"));

/** Any markdown at all, with definitions of links and footnotes. */
export const markdownWithDefinitions = fc
  .array(fc.constantFrom(...atoms, ...definitions), { minLength: 1, maxLength: 40 })
  .map((parts) => parts.join(""));

/** One paragraph of several thousand characters with markup inside, some of it never closed. */
export const longParagraph = fc
  .array(
    fc.constantFrom(
      "word ",
      "two words ",
      "**bold text** ",
      "*it*",
      "`code` ",
      "$x$ ",
      "costs $5 ",
      "[1] ",
      "[link](http://a.b) ",
      "漢字の文章",
      "5*3 ",
      "snake_case ",
      "a\nline ",
      "\\* ",
    ),
    { minLength: 300, maxLength: 1_500 },
  )
  .map((parts) => parts.join(""));

/** A table whose head and delimiter row are each longer than what is parsed at once. */
export function wideTable(columns: number, { isBelow, isSpaced }: { isBelow: boolean; isSpaced: boolean }): string {
  const row = (cell: string) => `|${(isSpaced ? ` ${cell} |` : `${cell}|`).repeat(columns)}\n`;
  return `${isBelow ? "Some words.\n" : ""}${row("a head")}${row("---")}${row("cell").repeat(3)}\nThe end.\n`;
}

/** Wide tables with and without spaces, some right below words. */
export const wideTables = fc
  .tuple(fc.integer({ min: 150, max: 400 }), fc.boolean(), fc.boolean())
  .map(([columns, isBelow, isSpaced]) => wideTable(columns, { isBelow, isSpaced }));

/** Lists, tight or loose, with what may look like their next item for a moment. */
export const lists = fc
  .array(
    fc.constantFrom(
      "* a\n",
      "- b\n",
      "1. c\n",
      "2. d\n",
      "  - e\n",
      "\n",
      "\n**bold** words\n\n",
      "\n*it* is\n\n",
      "\n-5 degrees\n\n",
      "\n1.5 of it\n\n",
      "\n---\n\n",
    ),
    {
      minLength: 3,
      maxLength: 25,
    },
  )
  .map((parts) => parts.join(""));

/** A text with marks of byte order, at its start and within. */
export const markedDocument = fc
  .array(fc.constantFrom("\uFEFF", "# h", "word", "\n", "\n\n", "- i", "> q", "```", "| a |\n|---|\n"), { minLength: 2, maxLength: 20 })
  .map((parts) => `\uFEFF${parts.join("")}`);

/** Sizes of the chunks in which a text arrives, without end. */
export function chunkSizes(max: number) {
  return fc.infiniteStream(fc.integer({ min: 1, max }));
}

/** The beginnings of a text as it arrives, the whole text last. */
export function* growing(text: string, sizes: Iterable<number>): Generator<string> {
  let end = 0;
  for (const size of sizes) {
    if (end >= text.length) return;
    end = Math.min(text.length, end + size);
    yield text.slice(0, end);
  }
}

/** The document that a text becomes as it arrives in chunks of these sizes. */
export function growAll(text: string, sizes: Iterable<number>, parse = parseMarkdown): MarkdownDocument {
  let document = emptyDocument;
  for (const beginning of growing(text, sizes)) document = growDocument(document, beginning, parse);
  return document;
}

function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === "position" || inner === undefined ? [] : [[key, withoutPositions(inner)]])),
  );
}

/** A tree to compare with another: all but where its nodes stand in the text. */
export function comparable(tree: Root | readonly Block[]): unknown {
  return withoutPositions("type" in tree ? tree.children : toRoot(tree).children);
}
