import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { shownLength } from "#web/features/library/markdown/growing/unfinished-markup.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";

const shown = (text: string) => text.slice(0, shownLength(text));

it.each([
  ["Some **bold wo", "Some "],
  ["Some **bold words*", "Some "],
  ["Some *", "Some "],
  ["Some __strong", "Some "],
  ["An ~~old", "An "],
  ["Call `find(", "Call "],
  ["See [the page", "See "],
  ["See [the page](https://example.org/a_(b", "See "],
  ["See ![the picture](https://ex", "See "],
  ["As was said [1", "As was said "],
  ["As was said [1]", "As was said "],
  ["**One** and **two", "**One** and "],
  ["Prices:\n\n| Fruit | Pr", "Prices:\n\n"],
  ["Prices:\n\n| Fruit | Price |\n", "Prices:\n\n"],
  ["Prices:\n\n| Fruit | Price |\n|---", "Prices:\n\n"],
  ["Prices:\n\n| Fruit | Price |\n|---|", "Prices:\n\n"],
  ["Prices:\n\n| Fruit | Price |\n|---|:", "Prices:\n\n"],
  ["Fruit | Price\n--- | ", "Fruit | Price\n"],
  ["First line **open\nSecond *it", "First line **open\nSecond "],
])("the end of a growing text waits for the rest of %j", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it.each([
  "Some **bold words**",
  "*a* and **b** and _c_ and ~~d~~ and `e*f` and [g](https://h.i/j_k)",
  "* an item",
  "snake_case_names",
  "about ~5 km",
  "5 * 3 and \\*stars\\*",
  "a [1] mark",
  `**${"never closed ".repeat(10)}`,
  "- [ ] a task",
  "| Fruit | Price |\n|---|:-",
  "| Fruit \\| nut | Price |\n|---|---|\n",
  "| Fruit | Price |\n|---|---|\n| Pear | 2",
  "| Fruit | Price |\n|---|---|\n| Pear | 2 |\n|",
  "|x| is never negative\nfor any x",
  "either | or\nand so on",
  "",
])("the end of a growing text shows all of %j", (text) => {
  expect(shown(text)).toBe(text);
});

it("the end of a growing text is drawn without markup that waits, and all of it when the text has ended", () => {
  const text = "Some **bold wo";
  expect(renderToStaticMarkup(<Markdown text={text} streaming />)).not.toContain("*");
  expect(renderToStaticMarkup(<Markdown text={text} />)).toContain(text);
  const code = "```js\nconst power = 2 ** x\n";
  expect(renderToStaticMarkup(<Markdown text={code} streaming />)).toContain("2 ** x");
});
