import { expect, test } from "vitest";
import { toQuote } from "#web/features/conversation/transcript/quote-selection.ts";

test("a quote marks every line and leaves one to write in", () => {
  expect(toQuote("  one\n\ntwo ")).toBe("> one\n>\n> two\n\n");
});
