import { expect, test } from "vitest";
import { hueOf, initialsOf } from "#shared/hue.ts";

test("a name keeps its hue, whatever its case", () => {
  expect(hueOf("Anthropic")).toBe(hueOf("anthropic"));
});

test("the best-known vendors can be distinguished", () => {
  const makers = ["anthropic", "google", "openai", "deepseek", "mistralai", "moonshotai"];
  const hues = makers.map(hueOf);
  for (const hue of hues) expect(hue >= 40 && hue < 365).toBe(true);
  expect(new Set(hues).size).toBeGreaterThanOrEqual(makers.length - 1);
});

test.each([
  ["Ines Okafor", 2, "IO"],
  ["Ana María de la Cruz", 2, "AC"],
  ["lena", 2, "L"],
  ["lena.brandt", 2, "LB"],
  ["Łukasz", 1, "Ł"],
  ["4o mini", 1, "4"],
  ["🙂 Zoe", 2, "Z"],
  ["…", 2, ""],
  ["", 1, ""],
] as const)("%s in %i is %s", (name, count, initials) => {
  expect(initialsOf(name, count)).toBe(initials);
});
