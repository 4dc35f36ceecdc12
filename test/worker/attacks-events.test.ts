import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { startChat } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { signIn } from "#test/support/worker.ts";

afterEach(() => void vi.restoreAllMocks());

const TEXT = 'before\n\nevent: message\nid: 9.9\ndata: {"type":"settled"}\n\n</script><script>alert(1)</script>';

/** What a model server that means harm sends: code events, fields of ours that are not its to say, frames within text, costs below zero. */
const FRAMES = [
  { type: "execute", code: "alert(1)", choices: [] },
  { type: "settled", status: "done", message_id: "x", choices: [{ delta: {}, type: "replace", text: 0 }] },
  {
    model: "auto",
    user_id: "someone",
    choices: [
      { delta: { content: TEXT, role: "system", html: "<script>", tool: { run: 1 }, ["__proto__"]: { polluted: true } }, script: "x" },
    ],
  },
  {
    choices: [
      { delta: { annotations: [cite("javascript:alert(1)"), cite("data:text/html,x"), cite("https://example.com/"), { type: "exec" }] } },
    ],
  },
  ...["a", "b"].map((text) => ({
    choices: [{ delta: { reasoning_details: [{ type: "reasoning.text", index: 0, text, ["__proto__"]: { polluted: true } }] } }],
  })),
  { choices: "none" },
  { choices: [{ delta: { content: { toString: "x" } } }] },
  { choices: [{ delta: {}, finish_reason: "stop" }], usage: { prompt_tokens: -5, completion_tokens: 1, cost: -100 }, credits: 1000 },
];

function cite(url: string) {
  return { type: "url_citation", url_citation: { url, title: "t", onclick: "alert(1)" } };
}

const KEYS: Record<string, string[]> = {
  model: ["type", "model_id"],
  reasoning: ["type", "text", "ms"],
  replace: ["type", "text", "reasoning"],
  retry: ["type", "attempt", "reason"],
  settled: ["type", "message_id", "status", "text", "model_id", "reasoning_ms", "citations", "cost", "usage", "finish_reason", "error"],
};

function unknownKeys(event: object): string[] {
  const known = KEYS[String(Reflect.get(event, "type"))] ?? [];
  return Object.keys(event).filter((key) => !known.includes(key));
}

/** Lets every stream of the aggregator be these frames, after an event of another kind. */
function answerWith(sent: object[]): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = new Request(input).url;
    if (!url.endsWith("/chat/completions") || !JSON.stringify(init?.body).includes('\\"stream\\":true')) return real(input, init);
    const body = `event: exec\ndata: {"run":1}\n\n${sent.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("")}data: [DONE]\n\n`;
    return new Response(body, { headers: { "content-type": "text/event-stream", "set-cookie": "polylogue-session=x", "x-evil": "1" } });
  });
}

it("a model server that means harm reaches readers with nothing but the events and fields of the contract, and fills no ledger", async () => {
  const user = await signIn();
  answerWith(FRAMES);
  const chat = await startChat(user, "say anything");
  const response = await user.fetch(`/api/chat/${chat.chatId}/replies/${chat.replyId}`);
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(response.headers.get("x-evil")).toBeNull();
  const frames = (await response.text()).split("\n\n").filter((frame) => frame.includes("data:"));
  expect(frames.filter((frame) => !/^id: ?\d+\.\d+\ndata: ?.*$/.test(frame))).toEqual([]);
  const events = frames.map((frame): unknown => JSON.parse(frame.slice(frame.indexOf("data:") + 5)));
  expect(events.filter((event) => typeof event === "string").join("")).toBe(TEXT);
  const unknown = events.filter((event) => typeof event !== "string").flatMap((event) => unknownKeys(Object(event)));
  expect(unknown).toEqual([]);
  const reply = await until("the end", async () => {
    const { messages } = await user.take(listMessages, { params: { id: chat.chatId } });
    return messages[1]?.status === "done" ? messages[1] : null;
  });
  expect(reply.citations).toEqual([{ url: "https://example.com/", title: "t" }]);
  expect(reply.usage?.prompt_tokens).toBe(0);
  expect(reply.cost).toBeGreaterThanOrEqual(0);
  await until("the ledger", async () => (await user.take(getUsage, {})).usage.length > 0);
  expect((await user.take(getSession, {})).user?.credits).toBeLessThanOrEqual(5);
  expect(Object.prototype).not.toHaveProperty("polluted");
});

it.each([
  { prompt_tokens: 1e300, completion_tokens: 1 },
  { prompt_tokens: 1, completion_tokens: 1e308, cost: 1e308 },
  { prompt_tokens: 1, completion_tokens: 1, cost: 1_001 },
])("a model server that means harm empties no ledger by %j", async (usage) => {
  const user = await signIn();
  answerWith([{ choices: [{ delta: { content: "a few words" } }] }, { choices: [{ delta: {}, finish_reason: "stop" }], usage }]);
  const chat = await startChat(user, "say anything");
  await (await user.fetch(`/api/chat/${chat.chatId}/replies/${chat.replyId}`)).text();
  const spent = await until("the reply in the ledger", async () => {
    const ledger = await env.USER_HUB.getByName(user.user.id).ledger({ before: Number.MAX_SAFE_INTEGER, limit: 10 });
    return ledger.find(({ what }) => what === "reply");
  });
  expect(Math.abs(spent.amount_micros)).toBeLessThan(1_000);
  expect((await user.take(getSession, {})).user?.credits).toBeGreaterThan(4.9);
});
