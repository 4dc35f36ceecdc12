import { expect, test } from "vitest";
import { toAppText } from "#worker/integrations/messaging/format.ts";
import { splitText } from "#worker/integrations/messaging/split-text.ts";

test.each([
  ["**bold**, *italic* and ~~struck~~", "*bold*, _italic_ and ~struck~"],
  ["# A title with **bold**\n\nText.", "*A title with bold*\n\nText."],
  ["- one\n- two\n  - inner", "- one\n- two\n   - inner"],
  ["3. three\n4. four", "3. three\n4. four"],
  ["- [x] done\n- [ ] open", "- ☑ done\n- ☐ open"],
  ["> said\n> so", "> said\n> so"],
  ["```js\nconst a = 1;\n```", "```\nconst a = 1;\n```"],
  ["Use `npm start`.", "Use `npm start`."],
  ["[the page](https://example.org/a) and https://example.org/b", "the page (https://example.org/a) and https://example.org/b"],
  ["[no](javascript:alert(1))", "no"],
  ["| Town | People |\n|---|---|\n| Bern | 134,000 |\n| Basel | 173,000 |", "*Bern*\nPeople: 134,000\n\n*Basel*\nPeople: 173,000"],
  ["a\n\n---\n\nb", "a\n\n———\n\nb"],
  ["** not bold **", "** not bold **"],
])("an answer in the app's own formatting: %j", (markdown, text) => {
  expect(toAppText(markdown)).toBe(text);
});

test("its sources stand below it", () => {
  const source = { url: "https://example.org/a", title: "A page" };
  expect(toAppText("So it is [1].", [source])).toBe("So it is [1].\n\nSources:\n[1] A page: https://example.org/a");
});

test("a long text is cut between paragraphs, else sentences, else words, never longer than the app takes, and nothing of it is lost", () => {
  const sentence = "This is a sentence of a few words. ";
  const text = Array.from({ length: 12 }, () => sentence.repeat(30).trim()).join("\n\n");
  const parts = splitText(text);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(4_096);
  expect(parts.every((part) => part.endsWith("."))).toBe(true);
  expect(parts.join("\n\n")).toBe(text);
  const wordChunks = splitText("word ".repeat(2_000));
  expect(wordChunks.every((part) => /^word( word)*$/.test(part))).toBe(true);
  expect(wordChunks.join(" ").split(" ")).toHaveLength(2_000);
});

test("a long text without any border is cut between characters that people see", () => {
  const parts = splitText("👩‍👩‍👧‍👦".repeat(500));
  expect(parts.join("")).toBe("👩‍👩‍👧‍👦".repeat(500));
  for (const part of parts) expect(part.length % "👩‍👩‍👧‍👦".length).toBe(0);
});

test("a long text of code goes on as code", () => {
  const parts = splitText(`\`\`\`\n${"a line of code\n".repeat(600)}\`\`\``);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(4_096);
    expect(part.startsWith("```\n") && part.endsWith("```")).toBe(true);
  }
});
