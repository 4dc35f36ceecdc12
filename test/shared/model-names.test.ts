import { expect, test } from "vitest";
import { compareModels, nameWithoutVendor, shortModelName, shortModelNames } from "#shared/models/model-names.ts";

test("a model's name loses what precedes the first ': '", () => {
  expect(nameWithoutVendor("Anthropic: Claude Sonnet 4.6")).toBe("Claude Sonnet 4.6");
  expect(nameWithoutVendor("Maker: Model: Preview")).toBe("Model: Preview");
  expect(nameWithoutVendor("llama3:8b")).toBe("llama3:8b");
});

test("a model's name stays whole up to 18 characters and gets an ellipsis beyond", () => {
  expect(shortModelName("Maker: 123456789012345678")).toBe("123456789012345678");
  expect(shortModelName("Maker: 1234567890123456789")).toBe("123456789012345678…");
});

test("a model's name is cut between characters, not inside one, and leaves no space before the ellipsis", () => {
  expect(shortModelName("🦙".repeat(19))).toBe(`${"🦙".repeat(18)}…`);
  expect(shortModelName("Llama 3.3 Nemotron Super 49B")).toBe("Llama 3.3 Nemotron…");
  expect(shortModelName("Seventeen letters and more")).toBe("Seventeen letters…");
});

test("a model's name differs from one that is cut to the same", () => {
  const namesOf = (...names: [id: string, name: string, provider?: string][]) => [
    ...shortModelNames(names.map(([id, name, provider = "Maker"]) => ({ id, name, provider }))).values(),
  ];
  expect(namesOf(["a", "Llama 4"], ["b", "Maker: 1234567890123456789"])).toEqual(["Llama 4", "123456789012345678…"]);
  expect(namesOf(["a", "Google: Gemini 2.5 Flash Lite"], ["b", "Google: Gemini 2.5 Flash Lite Preview 09-2025"])).toEqual([
    "Gemini 2.5 Flash L…",
    "Gemini… Preview 09",
  ]);
  expect(namesOf(["a", "Qwen3 Coder 480B A35B Instruct (free)"], ["b", "Qwen3 Coder 480B A35B Thinking (free)"])).toEqual([
    "Qwen3 C… Instruct (",
    "Qwen3 C… Thinking (",
  ]);
  expect(namesOf(["a", "Somewhat long name of it, Preview 2025-06-17"], ["b", "Somewhat long name of it, Preview 2025-09-17"])).toEqual([
    "Somewha… 2025-06-17",
    "Somewha… 2025-09-17",
  ]);
  expect(namesOf(["a/x", "A: Twin", "A"], ["b/x", "B: Twin", "B"])).toEqual(["Twin (A)", "Twin (B)"]);
  expect(namesOf(["a/x", "A: Twin", "A"], ["a/x:free", "A: Twin", "A"])).toEqual(["x", "x:free"]);
});

test("a model's name sorts without its vendor, with numbers by value and equal names by id", () => {
  const models = [
    { id: "b", name: "Zed: GPT-10" },
    { id: "c", name: "OpenAI: GPT-5" },
    { id: "a", name: "gpt-5" },
    { id: "d", name: "xAI: aya" },
  ];
  expect(models.toSorted(compareModels).map(({ id }) => id)).toEqual(["d", "a", "c", "b"]);
});
