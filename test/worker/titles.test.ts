import { expect, it } from "vitest";
import { cleanTitle, provisionalTitle } from "#worker/conversation/turn/title.ts";

it.each([
  ["**Compare** the *two* plans", "Compare the two plans"],
  ["# Trip to ~~Rome~~ [Naples](https://example.org/a?b=c)", "Trip to Rome Naples"],
  ["- __First__ point", "First point"],
  ["> quoted", "quoted"],
  ["![A map](https://example.org/map.png) of it", "A map of it"],
  ["```js\nconst a = 1;\n```\nWhy?", "const a = 1;"],
  ["What does `__init__` do in ``a`b``?", "What does __init__ do in a`b?"],
  ["Is 2 * 3 * 4 > snake_case_name and <div>?", "Is 2 * 3 * 4 > snake_case_name and <div>?"],
  ["***", "***"],
])("the first title of %j loses its marks, and nothing else", (text, title) => {
  expect(provisionalTitle(text)).toBe(title);
});

it("a model's title loses its marks too", () => {
  expect(cleanTitle('**Title: "Sourdough `levain` *timing*"**')).toBe("Sourdough levain timing");
});
