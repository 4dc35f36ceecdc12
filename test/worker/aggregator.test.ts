import { afterEach, expect, it, vi } from "vitest";
import { deploymentWith } from "#test/support/deployment.ts";
import { complete, streamCompletion } from "#worker/platform/clients/aggregator.ts";
import type { CompletionEvent } from "#worker/platform/clients/completion-chunks.ts";

const ENV = deploymentWith({ AGGREGATOR_URL: "https://models.example/api/v1" });
const PROMPT = { model: "m", messages: [{ role: "user" as const, content: "hello" }] };
const plainFetch = globalThis.fetch;

/** Answers what is asked of the aggregator; answers what it was asked. */
function answerWith(answer: (signal: AbortSignal) => Response | Promise<Response>): Request[] {
  const asked: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    // Chats of earlier tests may still ask the simulators.
    if (new URL(request.url).hostname === "127.0.0.1") return plainFetch(input, init);
    asked.push(request.clone());
    return answer(request.signal);
  });
  return asked;
}

function stream(signal: AbortSignal = new AbortController().signal): Promise<unknown> {
  return streamCompletion(ENV, PROMPT, { signal, onEvent: () => undefined });
}

afterEach(() => void vi.restoreAllMocks());

it("the aggregator's client asks once, with the key and the app's name, and passes on what comes", async () => {
  const chunk = { choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] };
  const asked = answerWith(
    () => new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers: { "x-generation-id": "g1" } }),
  );
  const events: CompletionEvent[] = [];
  await streamCompletion(ENV, PROMPT, { signal: new AbortController().signal, onEvent: (event) => events.push(event) });
  expect(events).toMatchObject([
    { type: "started", generationId: "g1" },
    { type: "text", text: "Hi" },
    { type: "finish", reason: "stop" },
  ]);
  const [request] = asked;
  expect([request?.method, request?.url]).toEqual(["POST", "https://models.example/api/v1/chat/completions"]);
  expect(request?.headers.get("authorization")).toBe("Bearer canary-openrouter-key");
  expect(request?.headers.get("x-openrouter-title")).toBe("Polylogue");
  expect(await request?.json()).toMatchObject({ model: "m", stream: true, stream_options: { include_usage: true } });
});

it.each([
  [
    429,
    { error: { message: "Slow down", metadata: { provider_name: "P" } } },
    { kind: "rate_limited", retryAfter: 7, detail: "Slow down", provider: "P" },
  ],
  [403, { error: { message: "Flagged", metadata: { reasons: ["violence"] } } }, { kind: "moderated", reasons: ["violence"] }],
  [400, { error: { message: "Too long", error_type: "context_length_exceeded" } }, { kind: "context_too_long" }],
  [502, "<html>Bad gateway</html>", { kind: "provider_down", detail: null }],
  [302, "", { kind: "server", status: 302 }],
])("a refusal of status %i says what it means, asked once", async (status, body, meaning) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const asked = answerWith(() => new Response(text, { status, headers: { "retry-after": "7" } }));
  await expect(stream()).rejects.toMatchObject(meaning);
  await expect(complete(ENV, PROMPT)).rejects.toMatchObject(meaning);
  expect(asked).toHaveLength(2);
});

it("the aggregator's client distinguishes who cannot be reached, what was given up, and an answer that is none", async () => {
  answerWith(() => Promise.reject(new TypeError("no route")));
  await expect(stream()).rejects.toMatchObject({ kind: "unreachable", isRetryable: true });
  answerWith((signal) => Promise.reject(signal.reason));
  await expect(stream(AbortSignal.abort())).rejects.toMatchObject({ kind: "aborted", isRetryable: false });
  answerWith(() => Response.json({ choices: "none" }));
  await expect(complete(ENV, PROMPT)).rejects.toMatchObject({ kind: "cut" });
});
