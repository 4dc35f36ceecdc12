import { afterAll, beforeAll, expect, test } from "vitest";
import { mergeDetails } from "./aggregator/reasoning.ts";
import { startAggregator } from "./aggregator/server.ts";
import { ask, askWith, clientOf, type ReadAnswer } from "./read-stream.ts";
import type { Simulator } from "./simulator.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startAggregator({ tokensPerSecond: 0, firstTokenMs: 0 });
});
afterAll(() => simulator.close());

const tools = [{ type: "function", function: { name: "getWeather", parameters: { type: "object", properties: {} } } }];
const model = "anthropic/claude-sonnet-4.6";

function assistantOf(answer: ReadAnswer, details: unknown = answer.details): Record<string, unknown> {
  return {
    role: "assistant",
    content: answer.text === "" ? null : answer.text,
    reasoning_details: details,
    tool_calls: answer.calls.map(({ id, name, arguments: text }) => ({ id, type: "function", function: { name, arguments: text } })),
  };
}

function resultsOf(answer: ReadAnswer, content: string): Record<string, unknown>[] {
  return answer.calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content }));
}

test("several call lines make parallel calls in interleaved fragments, then the results are answered", async () => {
  const prompt = 'call getWeather {"city":"Oslo, østkant"}\ncall getWeather {"city":"Rome"}';
  const first = await ask(clientOf(simulator), prompt, { model, tools });
  expect(first.finish).toBe("tool_calls");
  expect(first.calls.map((call) => JSON.parse(call.arguments))).toEqual([{ city: "Oslo, østkant" }, { city: "Rome" }]);
  expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);
  const indexes = first.chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => (delta.tool_calls ?? []).map(({ index }) => index)));
  expect(indexes.slice(0, 4)).toEqual([0, 1, 0, 1]);

  const messages = [{ role: "user", content: prompt }, assistantOf(first), ...resultsOf(first, '{"degrees":7}')];
  const second = await askWith(clientOf(simulator), { model, tools, messages });
  expect(second.finish).toBe("stop");
  expect(second.text).toContain("All 2 tools have answered");
  expect(second.text).toContain('"degrees": 7');
});

test("then opens another round, and say is the last answer", async () => {
  const prompt = 'before Let me look.\ncall getWeather {}\nthen\ncall getWeather ""\nthen\nsay Done.';
  const user = { role: "user", content: prompt };
  const first = await askWith(clientOf(simulator), { model, tools, messages: [user] });
  expect([first.text, first.finish]).toEqual(["Let me look.", "tool_calls"]);
  const second = await askWith(clientOf(simulator), { model, tools, messages: [user, assistantOf(first), ...resultsOf(first, "ok")] });
  expect(second.calls[0]?.arguments).toBe("");
  const third = await askWith(clientOf(simulator), {
    model,
    tools,
    messages: [user, assistantOf(first), ...resultsOf(first, "ok"), assistantOf(second), ...resultsOf(second, "ok")],
  });
  expect([third.text, third.finish]).toEqual(["Done.", "stop"]);
});

test("arguments that are not JSON go out as they were written", async () => {
  const { calls } = await ask(clientOf(simulator), "call getWeather {oops}", { model, tools });
  expect(calls[0]?.arguments).toBe("{oops}");
});

test.each(["tool-call-whole", "tool-call-no-index"])("fault %s sends each call in one chunk", async (fault) => {
  const { calls, chunks } = await ask(clientOf(simulator), `call a {"x":1}\ncall b {"y":2}\nfault ${fault}`, { model, tools });
  expect(calls.map(({ name, arguments: text }) => [name, text])).toEqual([
    ["a", '{"x":1}'],
    ["b", '{"y":2}'],
  ]);
  const fragments = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
  expect(fragments).toHaveLength(2);
  expect(fragments.every((fragment) => "index" in fragment === (fault === "tool-call-whole"))).toBe(true);
});

test("tool calls without results are refused", async () => {
  const first = await ask(clientOf(simulator), "call getWeather {}", { model, tools });
  const messages = [{ role: "user", content: "call getWeather {}" }, assistantOf(first), { role: "user", content: "and?" }];
  await expect(askWith(clientOf(simulator), { model, tools, messages })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("tool calls without results"),
  });
});

test("check reasoning passes what came back unmodified, merged or in fragments", async () => {
  const user = { role: "user", content: "think The weather first.\ncall getWeather {}\ncheck reasoning" };
  const first = await askWith(clientOf(simulator), { model, tools, messages: [user] });
  expect(first.reasoning).toBe("The weather first.");
  const fragments = first.details.map((detail) => ({ type: "", ...detail }));
  for (const details of [first.details, mergeDetails(fragments)]) {
    const { text } = await askWith(clientOf(simulator), {
      model,
      tools,
      messages: [user, assistantOf(first, details), ...resultsOf(first, "7")],
    });
    expect(text).toContain("Reasoning came back unmodified: 1.");
  }
});

test("check reasoning refuses reasoning that is missing; an altered signature is refused always", async () => {
  const user = { role: "user", content: "think The weather first, again.\ncall getWeather {}\ncheck reasoning" };
  const first = await askWith(clientOf(simulator), { model, tools, messages: [user] });
  const send = (details: unknown) =>
    askWith(clientOf(simulator), { model, tools, messages: [user, assistantOf(first, details), ...resultsOf(first, "7")] });
  await expect(send([])).rejects.toMatchObject({ status: 400, message: expect.stringContaining("are missing") });
  const altered = first.details.map((detail, index) => (index === 0 ? { ...detail, text: "Another" } : detail));
  await expect(send(altered)).rejects.toMatchObject({ status: 400, message: expect.stringContaining("Invalid `signature`") });
});
