import type { InlineMath, Math } from "#shared/markdown/nodes.ts";
import { expect, it } from "vitest";
import { parseMarkdown } from "#shared/markdown/parse.ts";

function formulas(text: string): string[] {
  const found: (InlineMath | Math)[] = [];
  const walk = (node: ReturnType<typeof parseMarkdown> | ReturnType<typeof parseMarkdown>["children"][number]) => {
    if (node.type === "inlineMath" || node.type === "math") found.push(node);
    if ("children" in node) node.children.forEach(walk);
  };
  walk(parseMarkdown(text));
  return found.map((node) => (node.type === "math" || node.data?.display ? `display ${node.value}` : node.value));
}

it.each([
  "$5 and $10",
  "between $5-$10 or US$6–US$7",
  "costs $5, or 10$.",
  "**$5**/month vs. **$10**/month",
  "$PATH:$HOME and $5",
  "`$a` and `b$`",
  "a price of $ 5 and $ 6",
  "\\$x$ escaped",
  "save $1,000 (that is $83/mo) or more",
  "an open $x and\n\nits end$ a paragraph later",
])("dollars that are no formula stay text: %s", (text) => {
  expect(formulas(text)).toEqual([]);
});

it.each([
  ["$x$", ["x"]],
  ["($x_1$, $x_2$)", ["x_1", "x_2"]],
  ["the $n$-th of $2^n$ and $3x + 1$.", ["n", "2^n", "3x + 1"]],
  ["$5 \\text{ apples}$", ["5 \\text{ apples}"]],
  ["$a \\$ b$", ["a \\$ b"]],
  ["as $$e = mc^2$$ in a line", ["display e = mc^2"]],
  ["text\n$$\na\nb\n$$\nmore", ["display a\nb"]],
  ["$$\na = b $$\n\nmore", ["display a = b "]],
  ["> $$\n> a\n> $$", ["display a"]],
  ["- item\n\n  $$\n  a\n  $$", ["display   a"]],
])("dollars make a formula: %s", (text, expected) => {
  expect(formulas(text).map((value) => value.replace(/^display +/, "display "))).toEqual(
    expected.map((value) => value.replace(/^display +/, "display ")),
  );
});

it.each([
  ["\\(x + y\\) and \\( \\alpha \\)", ["x + y", "\\alpha"]],
  ["\\[ a = b \\]", ["display a = b"]],
  [
    "text\n\\[\n\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}\n\\]\nmore",
    ["display \\begin{aligned} a &= b \\\\ c &= d \\end{aligned}"],
  ],
  ["\\[1\\] and \\[link\\](http://a.b)", []],
  ["\\\\(not math\\\\)", []],
  ["\\(never closed", []],
  ["\\(never closed, and \\(x\\)", ["x"]],
])("backslash delimiters are read: %s", (text, expected) => {
  expect(formulas(text)).toEqual(expected);
});

it.each([
  ["```js\na\n```", true],
  ["```js\na", undefined],
  ["- ```js\n  a\n  ```", true],
  ["$$\na\n$$", true],
  ["$$\na", undefined],
])("fences know whether they were closed: %j", (text, closed) => {
  const [block] = parseMarkdown(text).children;
  const node = block?.type === "list" ? block.children[0]?.children[0] : block;
  expect(node?.type === "code" || node?.type === "math" ? node.data?.closed : "no fence").toBe(closed);
});

it("references are resolved to definitions that stand elsewhere", () => {
  const known = { links: ["a"], footnotes: ["1"] };
  const types = JSON.stringify(parseMarkdown("[a] ![a] x[^1] [b]", known));
  for (const type of ["linkReference", "imageReference", "footnoteReference"]) expect(types).toContain(type);
  expect(types).toContain(" [b]");
});
