import { expect, test } from "vitest";
import { parseDocument } from "#shared/markdown/bounded-document.ts";
import { editDocument, emptyPreview, previewOf } from "#web/features/library/artifact-preview/preview-document.ts";

const PARTS = [
  "# A title\n\n",
  "Some words with *stress* and `code`.\n\n",
  "- one\n- two\n\n  more of two\n\n",
  "| a | b |\n|---|--:|\n| 1 | 2 |\n\n",
  "```js\nconst a = 1;\n\nlet b;\n```\n\n",
  "> a quote\nthat goes on\n\n",
  "1. first\n2. second\n\n",
  "A [link][ref] and a note[^1].\n\n",
  "[ref]: https://example.com\n\n",
  "[^1]: The note.\n\n",
  "$$\nx^2\n$$\n\n",
  "---\n\n",
  "Setext\n======\n\n",
];

function shape(blocks: readonly { start: number; node: unknown }[]): string {
  return JSON.stringify(
    blocks.map(({ start, node }) => ({ start, node })),
    (name, value: unknown) => (name === "position" ? undefined : value),
  );
}

/** Numbers in [0, 1) that are the same each time. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test("the preview of a text that is edited anywhere is that of a parse of the whole, whatever was typed, pasted or deleted where", () => {
  const inserts = ["x", "\n", "\n\n", "```\n", "# ", "- ", "|", "> ", "    ", "*", "[ref]", "---\n", "1. ", ""];
  for (let round = 1; round <= 15; round += 1) {
    const random = dice(round);
    const pick = <T>(list: readonly T[], or: T): T => list[Math.floor(random() * list.length)] ?? or;
    let text = Array.from({ length: 40 }, () => pick(PARTS, "")).join("");
    let document = previewOf(text);
    for (let edit = 0; edit < 12; edit += 1) {
      const from = Math.floor(random() * text.length);
      const to = Math.min(text.length, from + Math.floor(random() * 6));
      text = text.slice(0, from) + pick(inserts, "") + text.slice(to);
      document = previewOf(text, document);
      expect(shape(document.blocks)).toBe(shape(parseDocument(text)));
    }
  }
});

test("the preview of a text that is edited anywhere leaves what stands elsewhere the very same, so it is not drawn again", () => {
  const text = PARTS.join("").repeat(60);
  const document = previewOf(text);
  const at = text.indexOf("Some words", text.length / 2);
  const edited = previewOf(`${text.slice(0, at)}New ${text.slice(at)}`, document);
  const before = new Map(document.blocks.map(({ key, node }) => [key, node]));
  const changed = edited.blocks.filter(({ key, node }) => before.get(key) !== node);
  expect(changed).toHaveLength(1);
  expect(edited.blocks.map(({ key }) => key)).toEqual(document.blocks.map(({ key }) => key));
});

test("the preview of a text that is edited anywhere comes in steps that never parse a long text as a whole", () => {
  const text = "A line of some words that says little.\n\n".repeat(2_500);
  const steps = [...editDocument(emptyPreview, text)];
  expect(steps.length).toBeGreaterThan(10);
  const document = previewOf(text);
  expect([...editDocument(document, text.replace("little", "less"))].length).toBeLessThan(3);
});
