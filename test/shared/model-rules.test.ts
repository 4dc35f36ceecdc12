import fc from "fast-check";
import { expect, test } from "vitest";
import { MODEL_DESCRIPTION_LENGTH } from "#shared/limits.ts";
import { formatPerMillion, formatTokens, isGuestPrice, isHighCost, summarise } from "#shared/models/model-rules.ts";

const perMillion = (prompt: number, completion: number) => ({ prompt: prompt / 1_000_000, completion: completion / 1_000_000 });

test("prices are costly above $20 in and out per 1M tokens, not at $20, and never when they vary", () => {
  expect(isHighCost(perMillion(5, 15))).toBe(false);
  expect(isHighCost(perMillion(5, 15.01))).toBe(true);
  expect(isHighCost(null)).toBe(false);
});

test("prices are the house's treat for guests up to $2, whatever binary fractions make of the sum", () => {
  expect(isGuestPrice(perMillion(0.4, 1.6))).toBe(true);
  expect(isGuestPrice(perMillion(0.1, 1.9))).toBe(true);
  expect(isGuestPrice(perMillion(0.4, 1.61))).toBe(false);
});

test.each([
  [3, "$3.00"],
  [1.1, "$1.10"],
  [0.0375, "$0.0375"],
  [0.255, "$0.255"],
  [0, "$0.00"],
  [75, "$75.00"],
])("prices of $%d per 1M tokens read %s", (dollars, text) => {
  expect(formatPerMillion(dollars / 1_000_000)).toBe(text);
});

test.each([
  [800, "800"],
  [4096, "4K"],
  [131_072, "131K"],
  [200_000, "200K"],
  [999_999, "1M"],
  [1_048_576, "1M"],
  [1_500_000, "1.5M"],
  [2_000_000, "2M"],
])("%d tokens read %s", (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text);
});

test("a description of up to 200 characters stays as it is, on one line", () => {
  expect(summarise("A model.\n\nFor   all.")).toBe("A model. For all.");
});

test("a description is cut at the end of its last whole sentence", () => {
  expect(summarise(`First one. ${"x".repeat(100)}. ${"y".repeat(100)}.`)).toBe(`First one. ${"x".repeat(100)}.`);
});

test("a description does not take a decimal point or an abbreviation for a sentence's end", () => {
  expect(summarise(`Version 4.5 writes prose, e.g. ${"letters ".repeat(30)}`)).toMatch(/letters…$/);
});

test("a description without a whole sentence is cut at a word, with an ellipsis", () => {
  expect(summarise("word ".repeat(60))).toMatch(/word…$/);
});

test("a description never grows past the limit", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (text) => {
      expect(summarise(text).length).toBeLessThanOrEqual(MODEL_DESCRIPTION_LENGTH + 1);
    }),
    { numRuns: 300 },
  );
});
