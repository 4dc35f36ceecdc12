import { describe, expect, it } from "vitest";
import { Model } from "#shared/entities/model.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";
import { contextUse, pathTokens } from "#web/features/conversation/context-gauge/context-use.ts";
import { answer, id, question } from "./message-factory.ts";

const usage = { prompt_tokens: 5_000, completion_tokens: 900, reasoning_tokens: 400, duration_ms: 1 };

const CALL = toolCall({ id: id(9), tool: "viewTodoList", status: "done", output: "", duration_ms: 1 });

it("what the next message makes its model read is what the last answer's model counted, but its reasoning, and the length of what came since", () => {
  const path = [question(), answer({ usage }), question({ content: "x".repeat(400) }), answer({ content: "y".repeat(41) })];
  expect(pathTokens(path)).toBe(5_500 + 111);
  expect(pathTokens([question({ content: "x".repeat(8) })])).toBe(2);
});

it("what the next message makes its model read is no sum of a tool loop's rounds", () => {
  const looped = answer({ usage: { ...usage, prompt_tokens: 90_000 }, content: "z".repeat(40) });
  const path = [answer({ usage }), question({ content: "x".repeat(40) }), { ...looped, tool_calls: [CALL] }];
  expect(pathTokens(path)).toBe(5_500 + 20);
});

describe("a model's context", () => {
  const model = Model.parse({
    id: "maker/model",
    name: "Maker: Model",
    provider: "Maker",
    providerId: "maker",
    description: "",
    icon: null,
    features: [],
    pricing: { prompt: 0.000_001, completion: 0.000_002 },
    context_length: 100_000,
    top_provider: { context_length: 20_000 },
    vision: false,
    tools: true,
    reasoning: false,
    isPro: false,
    isTurbo: false,
    isAvailable: true,
  });

  it("a model's context is filled as its provider serves it, at its price with an answer", () => {
    const use = contextUse(12_000, model);
    expect(use?.share).toBeCloseTo(0.6);
    expect(use?.cost).toBeCloseTo(0.014);
  });

  it("a model's context says nothing where it is unknown, and no cost without a price", () => {
    expect(contextUse(12_000, { ...model, context_length: null, top_provider: { context_length: null } })).toBeNull();
    expect(contextUse(12_000, { ...model, pricing: null })).toEqual({ share: 0.6, cost: null });
  });
});
