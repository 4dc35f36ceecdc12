import { expect, test, vi } from "vitest";
import { parseDocument } from "#shared/markdown/bounded-document.ts";
import { cachedDocument } from "#web/features/library/markdown/growing/document-cache.ts";

test("a text is parsed once while it is among the recent ones, and one of a book's length each time it is shown", () => {
  const parse = vi.fn<typeof parseDocument>((text) => parseDocument(text.slice(0, 100)));
  const [first, again] = [cachedDocument("A *short* text", parse), cachedDocument("A *short* text", parse)];
  expect(again).toBe(first);
  expect(parse).toHaveBeenCalledTimes(1);
  const book = "word ".repeat(60_000);
  cachedDocument(book, parse);
  cachedDocument(book, parse);
  expect(parse).toHaveBeenCalledTimes(3);
});
