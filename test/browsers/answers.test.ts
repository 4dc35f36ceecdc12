import { ask, button, CONVERSATION, enter, LAST_TURN, signIn } from "./fixtures.ts";
import type { Target } from "./target.ts";
import { expect, journey } from "./test.ts";

const COLUMNS = Array.from({ length: 14 }, (_, index) => `a long column ${index}`);
/** One of each thing that a browser draws in its own way. */
const ANSWER = [
  "```ts",
  "const harbour = { depth: 4, isOpen: true };",
  "```",
  "",
  `| ${COLUMNS.join(" | ")} |`,
  `|${"---|".repeat(COLUMNS.length)}`,
  ...Array.from({ length: 3 }, (_, row) => `|${` cell ${row} |`.repeat(COLUMNS.length)}`),
  "",
  "$$\\int_0^1 x^2\\,dx = \\tfrac13$$",
  "",
  "```mermaid",
  "graph TD",
  "  A[Ask] --> B[Answer]",
  "```",
  "",
  "The end of it.",
].join("\n");

journey("a person signs in by a mailed code, asks and is answered", async ({ tab }) => {
  await signIn(tab);
  await ask(tab, "say The harbour is **open**");
  expect(await tab.texts({ css: "strong", within: LAST_TURN })).toEqual(["open"]);
  await tab.reload();
  await tab.see({ ...CONVERSATION, text: "The harbour is open" });
});

journey("code, a wide table, a formula and a diagram stand right in an answer", async ({ tab }) => {
  await enter(tab);
  await tab.goto("/");
  await ask(tab, `speed 3000\nsay ${ANSWER}`);
  await tab.see({ css: "pre [class^=code-]", text: "const", within: LAST_TURN });
  const formula: Target = { css: "math", within: LAST_TURN };
  // Over and under the line, as a formula is written.
  await expect.poll(() => tab.look(formula, ([math]) => (math?.getBoundingClientRect().height ?? 0) > 30)).toBe(true);
  const diagram: Target = { role: "img", name: /^Diagram: /, within: LAST_TURN };
  // Drawn once its place comes near, which goes on as what is above it finds its height.
  const seek = () =>
    tab.look({ css: "p", text: "The end of it.", within: LAST_TURN }, ([end]) => end?.scrollIntoView({ behavior: "instant" }));
  await expect.poll(() => seek().then(() => tab.count(diagram))).toBe(1);
  const isDrawn = () => tab.look(diagram, ([image]) => image instanceof HTMLImageElement && image.naturalWidth > 0);
  await expect.poll(isDrawn).toBe(true);

  const table: Target = { role: "group", name: /^Table: a long column 0/, within: LAST_TURN };
  expect(await tab.look(table, ([box]) => box !== undefined && box.scrollWidth > box.clientWidth)).toBe(true);
  expect(await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  // By the keys, as a browser without a mouse shows its tools to none that only passes over it.
  await tab.look(button("Enlarge table", LAST_TURN), ([tool]) => tool?.focus());
  await tab.press("Enter");
  await tab.see({ role: "columnheader", name: "a long column 0", within: { role: "dialog" } });
  await tab.press("Escape");
  await tab.lack({ role: "dialog" });
});
