import { describe, expect, test } from "vitest";
import { estimateResearch } from "#shared/research/research.ts";
import { pickResearcher } from "#shared/research/researcher.ts";

test("what a research is likely to cost follows the model's prices, and is that of the searches where they are unknown", () => {
  const searches = estimateResearch(null).dollars;
  expect(searches).toBeCloseTo(0.056, 6);
  const sonnet = estimateResearch({ prompt: 3e-6, completion: 15e-6 });
  expect(sonnet.dollars).toBeGreaterThan(0.3);
  expect(sonnet.dollars).toBeLessThan(0.6);
  const twice = estimateResearch({ prompt: 6e-6, completion: 30e-6 });
  expect(twice.dollars - searches).toBeCloseTo(2 * (sonnet.dollars - searches), 9);
  expect(sonnet.minutes).toEqual({ from: 2, to: 5 });
});

describe("the model that researches", () => {
  const model = (id: string, dollars: number, change: Partial<{ isPro: boolean; context_length: number | null }> = {}) => ({
    id,
    providerId: id.split("/")[0] ?? "",
    pricing: { prompt: dollars / 2_000_000, completion: dollars / 2_000_000 },
    context_length: 128_000,
    top_provider: { context_length: null },
    isPro: false,
    ...change,
  });
  const models = [
    model("auto", 1),
    model("anthropic/sonnet", 18),
    model("openai/mini", 2),
    model("openai/large", 12),
    model("openai/dear", 90),
    model("openai/pro", 15, { isPro: true }),
    model("openai/short", 14, { context_length: 8_000 }),
  ];
  const pick = (choice: Partial<Parameters<typeof pickResearcher>[1]>) =>
    pickResearcher(models, { preferred: null, allowlist: null, hasPro: false, ...choice })?.id ?? null;
  const only = (...ids: string[]) => ids.map((id) => ({ id, name: id }));

  test("the model that researches is the preferred one where that is a model which can", () => {
    expect(pick({ preferred: "anthropic/sonnet" })).toBe("anthropic/sonnet");
    expect(pick({ preferred: "openai/dear" })).toBe("openai/dear");
    expect(pick({ preferred: "openai/pro", hasPro: true })).toBe("openai/pro");
    for (const preferred of ["auto", "openai/pro", "openai/short", "gone/model", null]) expect(pick({ preferred })).toBe("openai/large");
  });

  test("the model that researches is the strongest allowed that is not costly, and one of all where none of the allowed can", () => {
    expect(pick({ allowlist: only("openai/mini", "anthropic/sonnet") })).toBe("openai/mini");
    expect(pick({ allowlist: only("openai/dear") })).toBe("openai/dear");
    expect(pick({ allowlist: only("auto", "openai/short") })).toBe("openai/large");
  });
});
