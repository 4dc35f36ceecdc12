import { expect, test } from "vitest";
import { AggregatorError } from "#worker/platform/clients/aggregator-errors.ts";
import { chunkReader, type CompletionEvent } from "#worker/platform/clients/completion-chunks.ts";

/** What a stream of these chunks amounts to, each coming by itself. */
function read(...chunks: unknown[]): CompletionEvent[] {
  const events: CompletionEvent[] = [];
  const reader = chunkReader((event) => events.push(event));
  for (const chunk of chunks) reader.read([typeof chunk === "string" ? chunk : JSON.stringify(chunk)]);
  reader.end();
  return events;
}

const choiceChunk = (delta: unknown, finish: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });

test("xAI names its sources with the last chunk, and its cost in ticks", () => {
  const url = "https://example.com/a";
  const usage = { prompt_tokens: 32, completion_tokens: 9, cost_in_usd_ticks: 37_756_000 };
  expect(read(choiceChunk({ content: "Found." }, "stop"), { choices: [], usage, citations: [url, url, "no address"] }, "[DONE]")).toEqual([
    { type: "text", text: "Found." },
    { type: "citation", url, title: null },
    {
      type: "usage",
      usage: { prompt_tokens: 32, completion_tokens: 9, reasoning_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, cost: 0.0037756 },
    },
    { type: "finish", reason: "stop" },
  ]);
});

test("Moonshot gives the usage within the choice", () => {
  const usage = { prompt_tokens: 8, completion_tokens: 11 };
  expect(read({ choices: [{ index: 0, delta: {}, finish_reason: "stop", usage }] }, "[DONE]")).toEqual([
    { type: "usage", usage: { ...usage, reasoning_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, cost: null } },
    { type: "finish", reason: "stop" },
  ]);
});

test("reasoning that comes under several names is passed on once", () => {
  const details = [{ type: "reasoning.text", text: "Hm.", index: 0 }];
  expect(
    read(
      choiceChunk({ reasoning: "Hm.", reasoning_content: "Hm.", reasoning_details: details }),
      choiceChunk({ reasoning_details: details }),
    ),
  ).toEqual([
    { type: "reasoning", text: "Hm." },
    { type: "reasoning_details", details },
    { type: "reasoning_details", details },
  ]);
});

test("calls that come behind the finish reason are among the calls", () => {
  const call = (index: number, id: string) => ({ tool_calls: [{ index, id, function: { name: "look", arguments: "{}" } }] });
  expect(read(choiceChunk(call(0, "a"), "tool_calls"), choiceChunk(call(1, "b"), "tool_calls"), "[DONE]")).toEqual([
    {
      type: "tool_calls",
      calls: [
        { id: "a", name: "look", arguments: "{}" },
        { id: "b", name: "look", arguments: "{}" },
      ],
    },
    { type: "finish", reason: "tool_calls" },
  ]);
});

test("other servers' words for an end are OpenRouter's", () => {
  expect(read(choiceChunk({ content: "Cut" }, "max_tokens"))).toContainEqual({ type: "finish", reason: "length" });
});

test("an end for an error without a word about it is a failure", () => {
  expect(() => read(choiceChunk({ content: "So far" }, "error"))).toThrow(AggregatorError);
});

test("a stream that says nothing has no end, whatever its last event", () => {
  expect(read("[DONE]")).toEqual([]);
});

test("usage without a number counts as none", () => {
  expect(read({ choices: [], usage: {} }, { choices: [], usage: { prompt_tokens: "many" } })).toEqual([]);
});

test("of several answers at once the one that came first counts", () => {
  const of = (index: number, delta: unknown, finish: string | null = null) => ({ index, delta, finish_reason: finish });
  const call = (name: string) => ({ tool_calls: [{ index: 0, id: name, function: { name, arguments: "{}" } }] });
  expect(
    read(
      { model: "m", choices: [{ index: 1, delta: { content: "One" } }] },
      { model: "m", choices: [{ index: 0, delta: { content: "Other" } }] },
      { choices: [of(0, { content: " other", ...call("b") }), of(1, { content: " answer", ...call("a") })] },
      { choices: [of(0, {}, "length")] },
      { choices: [of(1, {}, "stop")] },
      "[DONE]",
    ).filter(({ type }) => type !== "model"),
  ).toMatchObject([
    { type: "text", text: "One" },
    { type: "text", text: " answer" },
    { type: "tool_calls", calls: [{ name: "a" }] },
    { type: "finish", reason: "stop" },
  ]);
});
