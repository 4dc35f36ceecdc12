import { expect, test } from "vitest";
import { findPassage } from "#web/features/library/artifact-passage/find-passage.ts";
import { passageOf, passagePath } from "#web/features/library/artifact-passage/passage-link.ts";

const found = (text: string, passage: string) => {
  const range = findPassage(text, passage);
  return range && text.slice(range.start, range.end);
};

test("a passage is found through markdown, spaces, accents and case", () => {
  const text = "# Birds\n\nThe **Héron**   nests in [März](https://example.com/x), 🦩 as 鳥 does.\n";
  expect(found(text, "heron nests in marz")).toBe("Héron**   nests in [März");
  expect(found(text, "🦩 as 鳥")).toBe("🦩 as 鳥");
  expect(found("a 🦩", "🦩")).toBe("🦩");
});

test("what was changed since is found by its beginning, and what is gone by nothing", () => {
  expect(found("The heron nests by the lake.", "heron nests in March, or so it was said")).toBe("heron nests");
  expect(found("The stork.", "heron nests")).toBeNull();
  expect(found("anything", " – ")).toBeNull();
  expect(found("to be or not", "tor")).toBeNull();
});

test("a hit leads to its passage, one of a title to the artifact's beginning", () => {
  const text = "… before it Heron nests, one\nof many …";
  expect(passagePath("id", passageOf({ text, ranges: [{ start: 12, end: 17 }] }))).toBe("/artifacts/id?passage=Heron%20nests%2C%20one");
  expect(passagePath("id", passageOf({ text, ranges: [] }))).toBe("/artifacts/id");
  const long = passageOf({ text: `${"word ".repeat(60)}…`, ranges: [{ start: 0, end: 4 }] });
  expect(long.length).toBeLessThanOrEqual(90);
  expect(long.endsWith("word")).toBe(true);
});
