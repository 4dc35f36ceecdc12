import { describe, expect, it } from "vitest";
import { parseDocument } from "#shared/markdown/bounded-document.ts";
import { finishDocument } from "#shared/markdown/finish.ts";
import { emptyDocument, growDocument } from "#shared/markdown/incremental.ts";
import { parseMarkdown } from "#shared/markdown/parse.ts";
import { comparable, growAll } from "./markdown-documents.ts";

function* always(size: number) {
  for (;;) yield size;
}

function countParsed(text: string, size: number): number {
  let characters = 0;
  const counting: typeof parseMarkdown = (source, known) => {
    characters += source.length;
    return parseMarkdown(source, known);
  };
  finishDocument(growAll(text, always(size), counting), counting);
  return characters;
}

it.each([
  ["a tight list above bold words", "* a\n* b\n* c\n\n**bold** words\n\nThe end.\n"],
  ["a loose list above a rule", "- a\n\n- b\n- c\n- d\n\n---\n\nThe end.\n"],
  ["a byte-order mark", "\uFEFF# Title\n\nOne.\n\n- a\n- b\n\n\uFEFFTwo.\n"],
  ["a byte-order mark behind another", "\uFEFF\uFEFF```\n\n| a |\n|---|\n\uFEFF"],
])("a document that grows equals a parse of the whole: %s", (_kind, text) => {
  for (const size of [1, 2, 3, 7]) {
    const document = growAll(text, always(size));
    expect(comparable(document.blocks)).toEqual(comparable(parseMarkdown(text)));
    expect(comparable(finishDocument(document))).toEqual(comparable(parseMarkdown(text)));
  }
});

it("a document that grows keeps the objects of finished blocks, while it grows and when it ends", () => {
  const text =
    "# Title\n\nFirst paragraph.\n\n```js\nlet a = 1;\n```\n\n| a |\n|---|\n| 1 |\n\nSee [a] and more.\n\n[a]: https://a.example\n";
  const early = growAll(text.slice(0, text.indexOf("| a |")), always(7));
  const late = growAll(text, always(7));
  const document = growDocument(early, text);
  expect(document.blocks.slice(0, 3)).toEqual(late.blocks.slice(0, 3));
  for (const index of [0, 1]) expect(document.blocks[index]?.node).toBe(early.blocks[index]?.node);
  const finished = finishDocument(document);
  for (const index of [0, 1, 2, 3]) expect(finished[index]?.node).toBe(document.blocks[index]?.node);
  expect(finished.map(({ start }) => start)).toEqual(parseDocument(text).map(({ start }) => start));
});

it("a document that grows resolves a reference whose definition comes last only at the end", () => {
  const text = "See [a].\n\nMore.\n\n[a]: https://a.example\n";
  const document = growAll(text, always(3));
  expect(JSON.stringify(comparable(document.blocks))).not.toContain("linkReference");
  expect(JSON.stringify(comparable(finishDocument(document)))).toContain("linkReference");
});

it("a document that grows starts over when a text does not continue the former one", () => {
  const document = growDocument(growDocument(emptyDocument, "# One\n\ntwo"), "# Other\n");
  expect(comparable(document.blocks)).toEqual(comparable(parseMarkdown("# Other\n")));
});

describe("its cost", () => {
  const sentence = "Parse only the **open tail**; every block before it is *final*, so `each` chunk costs the same. ";
  const kinds = {
    paragraphs: `${sentence.repeat(4)}\n\n`.repeat(50),
    "one paragraph": sentence.repeat(200),
    "one paragraph with an opener that nothing closes": `**never closed, ${sentence.repeat(200)}`,
    "one paragraph of Chinese": "我们只解析尚未结束的部分".repeat(400),
    "one code block": `\`\`\`ts\n${"const answer = compute(42);\n".repeat(1_500)}\`\`\`\n`,
    "one list": `- ${sentence}\n`.repeat(400),
    "one numbered list with blank lines": Array.from({ length: 400 }, (_, index) => `${index + 1}. ${sentence}\n\n`).join(""),
    "one table": `| a | b |\n|---|--:|\n${"| some text | 1,234.5 |\n".repeat(1_500)}`,
  };

  it.each(Object.entries(kinds))("the cost of parsing a growing document grows with the text alone: %s", (_kind, text) => {
    const half = countParsed(text.slice(0, text.length / 2), 66);
    const complete = countParsed(text, 66);
    expect(complete / half).toBeLessThan(2.4);
    expect(complete / text.length).toBeLessThan(60);
  });

  it("the cost of parsing a growing document is a moment for a long text in small pieces, which are not compared with all before them one by one", () => {
    const text = `\`\`\`ts\n${"const answer = compute(42);\n".repeat(14_000)}`;
    const start = process.threadCpuUsage().user;
    expect(growAll(text, always(66)).text).toBe(text);
    expect(process.threadCpuUsage().user - start).toBeLessThan(1_500_000);
  });

  it("the cost of parsing a growing document is nothing for the lines of an open code block", () => {
    let calls = 0;
    const counting: typeof parseMarkdown = (source, known) => {
      calls += 1;
      return parseMarkdown(source, known);
    };
    growAll(`\`\`\`ts\n${"const answer = compute(42);\n".repeat(1_000)}`, always(66), counting);
    expect(calls).toBe(1);
  });
});
