import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CitationContext } from "#web/features/library/markdown/contexts.ts";
import { splitCitations } from "#shared/markdown/citation-marks.ts";
import { fillGaps } from "#web/features/library/markdown/inserts.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";

const CITATIONS = [
  { url: "https://www.example.org/a", title: "Notice periods" },
  { url: "https://law.example/b", title: null },
];

function render(text: string, streaming = false): string {
  return renderToStaticMarkup(
    <CitationContext value={CITATIONS}>
      <Markdown text={text} streaming={streaming} />
    </CitationContext>,
  );
}

/** The numbers of the chips in a markup, in order. */
function chips(markup: string): string[] {
  return [...markup.matchAll(/aria-label="(Source \d+: [^"]*)"/g)].map(([, name = ""]) => name);
}

it("citation marks are the numbers of sources that exist, alone or in a list, and nothing else", () => {
  expect(splitCitations("Three months [1], or none [2][3].", 2)).toEqual([
    { text: "Three months" },
    { number: 1 },
    { text: ", or none" },
    { number: 2 },
    { text: "[3]." },
  ]);
  expect(splitCitations("Both [1, 2] and 【2】", 2)).toEqual([
    { text: "Both" },
    { number: 1 },
    { number: 2 },
    { text: " and" },
    { number: 2 },
  ]);
  for (const text of ["[0]", "[x]", "[1", "1]", "[1, 9]", "[2026]", "[ ]", "plain"]) expect(splitCitations(text, 2)).toEqual([{ text }]);
});

it("citation marks become links that say their source's title, also in tables, lists and growing text", () => {
  expect(chips(render("Three months [1].\n\n- or **none [2]**\n\n| a |\n| - |\n| x [1] |"))).toEqual([
    "Source 1: Notice periods",
    "Source 2: law.example",
    "Source 1: Notice periods",
  ]);
  expect(chips(render("Three months [1] and", true))).toEqual(["Source 1: Notice periods"]);
  expect(render("Three months [1].")).toContain('href="https://www.example.org/a"');
});

it("citation marks stay as written in code, within links, and where the answer cites nothing", () => {
  const text = "`a[1]` and [see [1]](https://x.example)\n\n```js\na[1]\n```\n\n$a[1]$";
  expect(chips(render(text))).toEqual([]);
  expect(renderToStaticMarkup(<Markdown text="Three months [1]." />)).toContain("Three months [1].");
});

describe("what stands between blocks", () => {
  const shown = (text: string, ats: number[], streaming = false) =>
    renderToStaticMarkup(
      <Markdown text={text} streaming={streaming} inserts={ats.map((at, index) => ({ at, key: `${at}`, node: <aside>{index}</aside> }))} />,
    ).replaceAll(/<(?!\/?(?:aside|p|pre)\b)[^>]*>| class="[^"]*"| dir="auto"/g, "");

  it("what stands between blocks stands at its place or at the next end of a block, never inside one", () => {
    const text = "Let me look.\n\nI found it.";
    expect(shown(text, [0, 12, 14, text.length])).toBe(
      "<aside>0</aside><p>Let me look.</p><aside>1</aside><aside>2</aside><p>I found it.</p><aside>3</aside>",
    );
    expect(shown(text, [5])).toBe("<p>Let me look.</p><aside>0</aside><p>I found it.</p>");
    expect(shown("", [0])).toBe("<aside>0</aside>");
    expect(shown("Let me", [6], true)).toBe("<p>Let me</p><aside>0</aside>");
  });

  it("what stands between blocks keeps its order within a gap", () => {
    expect(fillGaps([0, 20], [{ at: 3 }, { at: 7 }, { at: 40 }])).toEqual([[], [{ at: 3 }, { at: 7 }], [{ at: 40 }]]);
  });
});
