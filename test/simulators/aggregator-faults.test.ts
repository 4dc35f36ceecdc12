import { APIConnectionError, APIError } from "openai";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { statusFaultNames } from "./aggregator/status-faults.ts";
import { startAggregator } from "./aggregator/server.ts";
import { ask, clientOf, readRaw } from "./read-stream.ts";
import type { Simulator } from "./simulator.ts";

let simulator: Simulator;
let origin: string;

beforeAll(async () => {
  simulator = await startAggregator({ tokensPerSecond: 0, firstTokenMs: 0 });
  origin = new URL(simulator.url).origin;
});
afterAll(() => simulator.close());
afterEach(() => control({ modelsFault: null, chatFault: null }));

async function control(body: Record<string, unknown>): Promise<number> {
  const response = await fetch(`${origin}/control`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.status;
}

const statusOf: Record<string, number> = {
  "403-moderation": 403,
  "429-long": 429,
  "429-provider": 429,
  "502-html": 502,
  model_not_found: 400,
  context_length_exceeded: 400,
};

test.each(statusFaultNames)("fault %s answers its status", async (name) => {
  const error = await ask(clientOf(simulator), `fault ${name}\nhello`).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(APIError);
  expect(error).toMatchObject({ status: statusOf[name] ?? Number(name) });
});

test("error bodies carry what the documents say", async () => {
  const bodyOf = async (name: string) => {
    const response = await fetch(`${simulator.url}/chat/completions`, {
      method: "POST",
      headers: { Authorization: "Bearer test", "Content-Type": "application/json", "x-sim-fault": name },
      body: JSON.stringify({ model: "openai/gpt-5", messages: [{ role: "user", content: "a harmless question" }] }),
    });
    return { headers: response.headers, body: await response.json() };
  };
  const limited = await bodyOf("429");
  expect(limited.headers.get("retry-after")).toBe("1");
  expect(limited.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(limited.body).toMatchObject({ error: { code: 429, metadata: { error_type: "rate_limit_exceeded" } } });
  expect((await bodyOf("402")).body).toMatchObject({ error: { message: expect.stringContaining("Insufficient credits") } });
  expect((await bodyOf("403-moderation")).body).toMatchObject({
    error: { metadata: { reasons: ["violence"], flagged_input: "a harmless question", model_slug: "openai/gpt-5" } },
  });
  expect((await bodyOf("model_not_found")).body).toMatchObject({
    error: { error_type: "not_found", http_status: 400, availability: { code: "model_not_found", retryable: false } },
  });
  expect((await bodyOf("context_length_exceeded")).body).toMatchObject({ error: { metadata: { error_type: "context_length_exceeded" } } });
  expect((await bodyOf("503")).headers.get("retry-after")).toBe("1");
});

test("a mid-stream error comes after some text, with a number or a string as its code", async () => {
  for (const [name, code] of [
    ["error-mid-stream", 429],
    ["error-mid-stream-string-code", "server_error"],
  ]) {
    const { text, error, finish } = await ask(clientOf(simulator), `fault ${name}\nbytes 400`);
    expect(text.length).toBeGreaterThan(10);
    expect(error).toMatchObject({ error: { code } });
    expect(finish).toBeNull();
  }
});

test("a cut stream breaks after some text, and one cut before breaks before any", async () => {
  const cut = await ask(clientOf(simulator), "fault cut\nbytes 400");
  expect(cut.text.length).toBeGreaterThan(10);
  expect(cut.error).not.toBeNull();
  expect(cut.usage).toEqual([]);
  await expect(ask(clientOf(simulator), "fault cut-before\nhello")).rejects.toBeInstanceOf(APIConnectionError);
});

test("a hang answers nothing; a hang in mid-stream stops after some text", async () => {
  const body = JSON.stringify({ model: "openai/gpt-4o-mini", stream: true, messages: [{ role: "user", content: "fault hang" }] });
  const headers = { Authorization: "Bearer test", "Content-Type": "application/json" };
  await expect(
    fetch(`${simulator.url}/chat/completions`, { method: "POST", headers, body, signal: AbortSignal.timeout(150) }),
  ).rejects.toMatchObject({ name: "TimeoutError" });

  const leave = new AbortController();
  const response = await fetch(`${simulator.url}/chat/completions`, {
    method: "POST",
    headers,
    body: body.replace("fault hang", "fault hang-mid-stream\\nbytes 400"),
    signal: leave.signal,
  });
  const reader = response.body?.getReader();
  let text = "";
  while (!text.includes("## 1.")) {
    const { value } = (await reader?.read()) ?? {};
    text += new TextDecoder().decode(value).replace(/[^]*?"content":"((?:[^"\\]|\\.)*)"/g, "$1");
  }
  const next = reader?.read().then(
    () => "ended",
    () => "left",
  );
  expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 150, "silent"))])).toBe("silent");
  leave.abort();
  expect(await next).toBe("left");
});

test("split-utf8 splits every character of several bytes, and the SDK still reads the text", async () => {
  const directive = "say Grüße, 你好, 👋🏽 ok";
  const { rawChunks } = await readRaw(simulator, `fault split-utf8\n${directive}`);
  const inside = rawChunks.filter((piece) => ((piece[0] ?? 0) & 0xc0) === 0x80);
  expect(inside.length).toBeGreaterThan(2);
  expect((await ask(clientOf(simulator), `fault split-utf8\n${directive}`)).text).toBe("Grüße, 你好, 👋🏽 ok");
});

test.each(["crlf", "split-anywhere", "no-done", "linger", "no-usage", "usage-on-choice"])(
  "fault %s leaves the text whole",
  async (name) => {
    const { text, error, usage } = await ask(clientOf(simulator), `fault ${name}\nsay Grüße an alle`);
    expect(text).toBe("Grüße an alle");
    expect(error).toBeNull();
    expect(usage).toHaveLength(name === "no-usage" ? 0 : 1);
  },
);

test("crlf ends every line with CR LF, and no-done leaves out the end", async () => {
  const { text } = await readRaw(simulator, "fault crlf\nsay hello");
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  expect(text).toContain("data: [DONE]\r\n\r\n");
  expect((await readRaw(simulator, "fault no-done\nsay hello")).text).not.toContain("[DONE]");
});

test("empty, length and content-filter finish as they should", async () => {
  const empty = await ask(clientOf(simulator), "fault empty\nsay hello");
  expect([empty.text, empty.finish, empty.usage[0]?.cost]).toEqual(["", "stop", 0]);
  const long = await ask(clientOf(simulator), "fault length\nbytes 400");
  expect(long.finish).toBe("length");
  expect(long.text.length).toBeLessThan(400);
  expect((await ask(clientOf(simulator), "fault content-filter\nbytes 400")).finish).toBe("content_filter");
});

test("malformed-json puts one broken event in the middle", async () => {
  const { text } = await readRaw(simulator, "fault malformed-json\nbytes 400");
  const broken = text.split("\n\n").filter((event) => event.startsWith("data: {") && !event.endsWith("}"));
  expect(broken).toHaveLength(1);
  expect(text).toContain("[DONE]");
});

test("times N fails the first N requests of the same prompt only", async () => {
  const send = (prompt: string) =>
    ask(clientOf(simulator), prompt).then(
      ({ text }) => text,
      (error: unknown) => (error instanceof APIError ? error.status : error),
    );
  const prompt = "fault 503 times 2\nsay recovered";
  expect([await send(prompt), await send(prompt), await send(prompt)]).toEqual([503, 503, "recovered"]);
  expect(await send("fault 503 times 1\nsay another")).toBe(503);
});

test("only the last user message's directives count", async () => {
  const messages = [
    { role: "user", content: "fault 500" },
    { role: "assistant", content: "call a {}" },
    { role: "user", content: "say fine" },
  ];
  expect((await ask(clientOf(simulator), "", { messages })).text).toBe("fine");
});

test("the control routes make the model list and the chat fail, and end the faults", async () => {
  const list = () => fetch(`${simulator.url}/models`, { headers: { Authorization: "Bearer test" } });
  await control({ modelsFault: "503" });
  expect((await list()).status).toBe(503);
  await control({ modelsFault: "cut-before" });
  await expect(list()).rejects.toThrow("fetch failed");
  await control({ modelsFault: null, chatFault: "402" });
  expect((await list()).status).toBe(200);
  await expect(ask(clientOf(simulator), "say hello")).rejects.toMatchObject({ status: 402 });
  expect(await control({ chatFault: "nonsense" })).toBe(400);
});

test("late-generation hides the generation once", async () => {
  const headers = { Authorization: "Bearer test" };
  const { chunks } = await ask(clientOf(simulator), "fault late-generation\nsay hello");
  const look = async () => (await fetch(`${simulator.url}/generation?id=${String(chunks[0]?.["id"])}`, { headers })).status;
  expect([await look(), await look()]).toEqual([404, 200]);
});

test("what no model can serve is refused as the aggregator refuses it", async () => {
  const client = clientOf(simulator);
  await expect(ask(client, "hi", { model: "nobody/nothing" })).rejects.toMatchObject({
    status: 400,
    error: { availability: { code: "model_not_found" } },
  });
  const image = [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }] }];
  await expect(ask(client, "", { model: "deepseek/deepseek-v3.2", messages: image })).rejects.toMatchObject({ status: 404 });
  const tools = [{ type: "function", function: { name: "a" } }];
  await expect(ask(client, "hi", { model: "microsoft/phi-4", tools })).rejects.toMatchObject({ status: 404 });
  await expect(ask(client, "x".repeat(80_000), { model: "microsoft/phi-4" })).rejects.toMatchObject({
    status: 400,
    error: { metadata: { error_type: "context_length_exceeded" } },
  });
  await expect(ask(client, "hi", { messages: [] })).rejects.toMatchObject({ status: 400 });
  const unsigned = await fetch(`${simulator.url}/chat/completions`, { method: "POST", body: "{}" });
  expect(unsigned.status).toBe(401);
});
