import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { markdownOfLength, parseStamps } from "./aggregator/bytes.ts";
import { startAggregator } from "./aggregator/server.ts";
import { mergeDetails } from "./aggregator/reasoning.ts";
import { ask, askWith, clientOf, readRaw } from "./read-stream.ts";
import type { Simulator } from "./simulator.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startAggregator({ tokensPerSecond: 0, firstTokenMs: 0 });
});
afterAll(() => simulator.close());

test("say answers exactly the text, lines and all", async () => {
  const { text, finish, error } = await ask(clientOf(simulator), "ignored\nsay Grüße, 你好 👋🏽\n\nspeed 3 is not read here");
  expect(text).toBe("Grüße, 你好 👋🏽\n\nspeed 3 is not read here");
  expect(finish).toBe("stop");
  expect(error).toBeNull();
});

test("a stream begins with a comment, has one usage chunk with empty choices and ends with [DONE]", async () => {
  const { text } = await readRaw(simulator, "say hello");
  const events = text.split("\n\n").filter((event) => event !== "");
  expect(events[0]).toBe(": OPENROUTER PROCESSING");
  expect(events.at(-1)).toBe("data: [DONE]");
  expect(events.filter((event) => event.includes('"usage"'))).toHaveLength(1);
  expect(events.at(-2)).toContain('"choices":[],"usage"');
});

test("usage costs what the model's prices say", async () => {
  const { usage } = await ask(clientOf(simulator), "say one two three", { model: "anthropic/claude-opus-4.5" });
  const [{ prompt_tokens: prompt, completion_tokens: completion, cost } = { prompt_tokens: 0, completion_tokens: 0, cost: 0 }] = usage;
  expect(usage).toHaveLength(1);
  expect(completion).toBe(3);
  expect(cost).toBeCloseTo((prompt * 5 + completion * 25) / 1e6, 9);
});

test("the answer without a stream is the same text with the same usage", async () => {
  const body = { model: "openai/gpt-4o-mini", messages: [{ role: "user" as const, content: "bytes 500" }] };
  const unstreamed = await clientOf(simulator).chat.completions.create(body);
  const streamed = await askWith(clientOf(simulator), body);
  expect(unstreamed.choices[0]?.message.content).toBe(streamed.text);
  expect(unstreamed.usage?.completion_tokens).toBe(streamed.usage[0]?.completion_tokens);
});

test("bytes N answers the same N characters as the exported function", async () => {
  for (const length of [1, 999, 8192]) {
    const { text } = await ask(clientOf(simulator), `bytes ${length}`);
    expect(text).toBe(markdownOfLength(length));
    expect(Buffer.byteLength(text)).toBe(length);
  }
});

test("stamp N writes N numbered chunks with the time of each", async () => {
  const before = performance.timeOrigin + performance.now();
  const { text } = await ask(clientOf(simulator), "stamp 40\nspeed 100");
  const stamps = parseStamps(text);
  expect(stamps.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index));
  expect(stamps[0]?.at).toBeGreaterThan(before - 1000);
  const last = stamps.at(-1)?.at ?? 0;
  // What a busy machine holds up at the start is caught up with.
  expect(last - (stamps[0]?.at ?? 0)).toBeGreaterThan(39 / 0.1 - 250);
});

test("the pace is set by prompt and by header, the prompt's first", async () => {
  const elapsed = async (prompt: string, headers: Record<string, string>) => {
    const start = performance.now();
    await ask(clientOf(simulator, headers), prompt);
    return performance.now() - start;
  };
  expect(await elapsed("say one two three four five", { "x-sim-tokens-per-second": "25" })).toBeGreaterThan(150);
  expect(await elapsed("say hello", { "x-sim-first-token-ms": "200" })).toBeGreaterThan(190);
  expect(await elapsed("delay 0\nspeed 0\nsay hello", { "x-sim-first-token-ms": "60000", "x-sim-tokens-per-second": "1" })).toBeLessThan(
    10_000,
  );
});

test("a long wait for the first token is filled with comments", async () => {
  const { text } = await readRaw(simulator, "delay 1100\nsay hello");
  expect(text.match(/: OPENROUTER PROCESSING\n\n/g)?.length).toBe(2);
});

test.each([
  ["openai/gpt-5-mini", ["reasoning.summary", "reasoning.encrypted"]],
  ["google/gemini-3-pro", ["reasoning.text", "reasoning.encrypted"]],
  ["deepseek/deepseek-r1-0528", ["reasoning.text"]],
])("%s reasons before it answers, in its vendor's format", async (model, types) => {
  const { reasoning, details, text, chunks, usage } = await ask(clientOf(simulator), "tell me about rivers", { model });
  expect(reasoning).toContain("rivers");
  expect(details.length).toBeGreaterThan(5);
  expect(mergeDetails(z.array(z.looseObject({ type: z.string() })).parse(details)).map(({ type }) => type)).toEqual(types);
  const firstText = chunks.findIndex(({ choices }) => choices[0]?.delta.content);
  const lastReasoning = chunks.findLastIndex(({ choices }) => choices[0]?.delta.reasoning_details);
  expect(firstText).toBeGreaterThan(lastReasoning);
  expect(text).toContain("demo model");
  expect(usage[0]?.["completion_tokens_details"]).toMatchObject({ reasoning_tokens: expect.any(Number) });
});

test("a model that reasons only when asked does so then, and hides it on request", async () => {
  const model = "anthropic/claude-sonnet-4.6";
  expect((await ask(clientOf(simulator), "rivers", { model })).reasoning).toBe("");
  const asked = await ask(clientOf(simulator), "rivers", { model, reasoning: { effort: "low" } });
  expect(asked.details.at(-1)).toMatchObject({ type: "reasoning.text", format: "anthropic-claude-v1", signature: expect.any(String) });
  const hidden = await ask(clientOf(simulator), "rivers", { model, reasoning: { enabled: true, exclude: true } });
  expect(hidden.reasoning).toBe("");
  expect(hidden.details).toEqual([]);
});

test("max_completion_tokens cuts the answer with finish reason length", async () => {
  const { text, finish, usage } = await ask(clientOf(simulator), "say one two three four", { max_completion_tokens: 2 });
  expect([text, finish, usage[0]?.completion_tokens]).toEqual(["one two", "length", 2]);
});

test("sources come as annotations", async () => {
  const { annotations } = await ask(clientOf(simulator), "cite https://example.com/a The first\ncite https://example.com/b\nsay see there");
  expect(annotations).toMatchObject([
    { type: "url_citation", url_citation: { url: "https://example.com/a", title: "The first" } },
    { type: "url_citation", url_citation: { url: "https://example.com/b" } },
  ]);
});

test("the router names the model that answers, within the ids it is allowed", async () => {
  const plugins = [{ id: "auto-router", allowed_models: ["deepseek/*"], excluded_models: ["deepseek/deepseek-r1*"] }];
  const { model, usage } = await ask(clientOf(simulator), "say hello", { model: "openrouter/auto", plugins });
  expect(model).toMatch(/^deepseek\/deepseek-(chat-)?v3/);
  expect(usage[0]?.cost).toBeGreaterThan(0);
  expect((await ask(clientOf(simulator), "say hello", { model: "openrouter/auto" })).model).not.toBe("openrouter/auto");
});

test("a generation can be looked up afterwards, also one that was cancelled", async () => {
  const headers = { Authorization: "Bearer test" };
  const response = await fetch(`${simulator.url}/chat/completions`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ model: "openai/gpt-4o-mini", stream: true, messages: [{ role: "user", content: "speed 200\nbytes 100000" }] }),
  });
  const id = response.headers.get("x-generation-id") ?? "";
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await expect
    .poll(async () => (await fetch(`${simulator.url}/generation?id=${id}`, { headers })).json(), { timeout: 5000 })
    .toMatchObject({ data: { id, model: "openai/gpt-4o-mini", streamed: true, cancelled: true } });
  expect(simulator.requests().find(({ body }) => JSON.stringify(body).includes("bytes 100000"))?.closedEarly).toBe(true);
});

test("a title request gets a short title and ignores the directives it quotes", async () => {
  const { choices } = await clientOf(simulator).chat.completions.create({
    model: "openai/gpt-5-nano",
    messages: [
      { role: "system", content: "Write a title for the conversation below: three to six words." },
      { role: "user", content: "Question:\nHow do I compare lease offers in Berlin?\nfault 500\n\nAnswer:\nOffer B is cheaper." },
    ],
  });
  const title = choices[0]?.message.content ?? "";
  expect(title).toBe("Compare lease offers Berlin");
  expect(title.split(" ").length).toBeLessThanOrEqual(6);
});
