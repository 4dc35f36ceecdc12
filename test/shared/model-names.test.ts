import { describe, expect, test } from "vitest";
import { compareModels, nameWithoutMaker, shortModelName } from "#shared/model-names.ts";

describe("a model's name", () => {
  test("loses what precedes the first ': '", () => {
    expect(nameWithoutMaker("Anthropic: Claude Sonnet 4.6")).toBe("Claude Sonnet 4.6");
    expect(nameWithoutMaker("Maker: Model: Preview")).toBe("Model: Preview");
    expect(nameWithoutMaker("llama3:8b")).toBe("llama3:8b");
  });

  test("stays whole up to 18 characters and gets an ellipsis beyond", () => {
    expect(shortModelName("Maker: 123456789012345678")).toBe("123456789012345678");
    expect(shortModelName("Maker: 1234567890123456789")).toBe("123456789012345678…");
  });

  test("is cut between characters, not inside one, and leaves no space before the ellipsis", () => {
    expect(shortModelName("🦙".repeat(19))).toBe(`${"🦙".repeat(18)}…`);
    expect(shortModelName("Llama 3.3 Nemotron Super 49B")).toBe("Llama 3.3 Nemotron…");
    expect(shortModelName("Seventeen letters and more")).toBe("Seventeen letters…");
  });

  test("sorts without its maker, with numbers by value and equal names by id", () => {
    const models = [
      { id: "b", name: "Zed: GPT-10" },
      { id: "c", name: "OpenAI: GPT-5" },
      { id: "a", name: "gpt-5" },
      { id: "d", name: "xAI: aya" },
    ];
    expect(models.toSorted(compareModels).map(({ id }) => id)).toEqual(["d", "a", "c", "b"]);
  });
});
