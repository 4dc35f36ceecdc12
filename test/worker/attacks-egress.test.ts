import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CANARIES } from "#test/support/canaries.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { complete, lookUpCost, streamCompletion } from "#worker/clients/aggregator.ts";
import { fetchAggregatorModels } from "#worker/clients/aggregator-models.ts";
import { findImages, readPages } from "#worker/clients/exa.ts";
import { exchangeCode } from "#worker/clients/google.ts";
import { fetchPicture } from "#worker/clients/google-picture.ts";
import { placeCall, readCall, stopCall } from "#worker/clients/runs/bland.ts";
import { createAgentRun, readAgentRun } from "#worker/clients/runs/codegen.ts";
import { sendMail } from "#worker/clients/mailer.ts";
import { fetchMedia, findMedia } from "#worker/clients/whatsapp/media.ts";
import { sendCode, sendText } from "#worker/clients/whatsapp/send.ts";
import { searchWeb } from "#worker/clients/parallel-search.ts";

const CONFIGURED = deploymentWith({
  AGGREGATOR_URL: "https://models.example/api/v1",
  RESEND_URL: "https://mail.example",
  GOOGLE_TOKEN_URL: "https://sign-in.example/token",
  PARALLEL_URL: "https://search.example",
  EXA_URL: "https://pages.example",
  CODEGEN_URL: "https://agent.example",
  BLAND_URL: "https://phone.example",
  WHATSAPP_URL: "https://messages.example",
});
const SEARCH = { objective: "o", queries: ["q"], maxResults: 1, maxCharsPerResult: 1, sessionId: "s" };
const GOING = new AbortController().signal;
const MAIL = { to: "a@example.com", subject: "s", text: "t", html: "<p>t</p>" };
const ACCESS = { orgId: "1", token: "canary-codegen-token" };
const CALL = { phone_number: "+14155550123", task: "t", max_duration: 1, metadata: {} };
const GIVEN = { code: "c", verifier: "v", redirectUri: "http://localhost/", nonce: "n" };
const PROMPT = { model: "m", messages: [{ role: "user" as const, content: "hello" }] };

/** Everything that reaches out, and the one host it may reach. */
const WAYS: [string, string, () => Promise<unknown>][] = [
  ["the model list", "models.example", () => fetchAggregatorModels(CONFIGURED)],
  ["a streamed answer", "models.example", () => streamCompletion(CONFIGURED, PROMPT, { signal: GOING, onEvent: () => undefined })],
  ["a whole answer", "models.example", () => complete(CONFIGURED, PROMPT)],
  ["a cost", "models.example", () => lookUpCost(CONFIGURED, "../../../evil?x=")],
  ["a mail", "mail.example", () => sendMail(CONFIGURED, MAIL, "http://localhost")],
  ["Google's token", "sign-in.example", () => exchangeCode(CONFIGURED, { id: "i", secret: "s" }, GIVEN)],
  ["a search", "search.example", () => searchWeb(CONFIGURED, SEARCH, GOING)],
  ["pages", "pages.example", () => readPages(CONFIGURED, { urls: ["https://example.org/"], maxCharacters: 1 }, GOING)],
  ["images", "pages.example", () => findImages(CONFIGURED, { query: "q", pages: 1 }, GOING)],
  ["the code agent", "agent.example", () => createAgentRun(CONFIGURED, ACCESS, { prompt: "p", metadata: {} }, GOING)],
  ["a run", "agent.example", () => readAgentRun(CONFIGURED, ACCESS, 1, GOING)],
  ["a phone call", "phone.example", () => placeCall(CONFIGURED, CALL, GOING)],
  ["a call that is under way", "phone.example", () => readCall(CONFIGURED, "../../evil?x=", GOING)],
  ["the end of a call", "phone.example", () => stopCall(CONFIGURED, "c", GOING)],
  ["a message", "messages.example", () => sendText(CONFIGURED, { to: { to: "14155550123" }, text: "t" })],
  ["a one-time code", "messages.example", () => sendCode(CONFIGURED, { phone: "+14155550123", code: "123456" })],
  ["a file that was sent", "messages.example", () => findMedia(CONFIGURED, "../../evil?x=")],
  ["a picture", "sign-in.example", () => fetchPicture(CONFIGURED, "https://sign-in.example/picture")],
];

let reached: { host: string; headers: string }[] = [];

const plainFetch = globalThis.fetch;

/** A network whose every host redirects to another, and which follows as the platform's own fetch does: headers and all. */
async function hostileNetwork(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const request = new Request(input, init);
  const { host, hostname } = new URL(request.url);
  // Chats of earlier tests may still ask the simulators, whose addresses are not configured here.
  if (hostname === "127.0.0.1") return plainFetch(input, init);
  reached.push({ host, headers: JSON.stringify([...request.headers]) });
  if (host === "evil.example") return Response.json({ data: [{ id: "evil/model" }], id_token: "x" });
  const target = "https://evil.example/collect";
  if (init.redirect === "manual") return new Response(null, { status: 307, headers: { location: target } });
  return hostileNetwork(target, init);
}

beforeEach(() => {
  reached = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(hostileNetwork);
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => void vi.restoreAllMocks());

describe("what goes out", () => {
  it.each(WAYS)("for %s reaches the configured host alone, whatever it redirects to", async (_what, host, ask) => {
    await ask().catch(() => null);
    expect(reached.length).toBeGreaterThan(0);
    expect([...new Set(reached.map((request) => request.host))]).toEqual([host]);
  });

  it.each([
    "https://evil.example/a.png",
    "http://lh3.googleusercontent.com/a",
    "https://googleusercontent.com.evil.example/a",
    "file:///etc/passwd",
  ])("for a picture never reaches %s", async (address) => {
    expect(await fetchPicture(CONFIGURED, address)).toBeNull();
    expect(reached).toEqual([]);
  });

  it.each(["https://evil.example/a", "http://lookaside.fbsbx.com/a", "https://facebook.com.evil.example/a"])(
    "for a file of the messaging app never reaches %s",
    async (url) => {
      vi.spyOn(console, "error").mockReturnValue();
      expect(await fetchMedia(CONFIGURED, { url, type: "", size: 1 }, 10)).toMatchObject({ ok: false });
      expect(reached).toEqual([]);
    },
  );

  it("carries each service's key to that service alone", async () => {
    for (const [, , ask] of WAYS) await ask().catch(() => null);
    const strangers = (key: string, host: string) => reached.filter(({ headers, host: to }) => headers.includes(key) && to !== host);
    for (const [key, host] of [
      [CANARIES.OPENROUTER_API_KEY, "models.example"],
      [CANARIES.RESEND_API_KEY, "mail.example"],
      [CANARIES.PARALLEL_API_KEY, "search.example"],
      [CANARIES.EXA_API_KEY, "pages.example"],
      [CANARIES.BLAND_API_KEY, "phone.example"],
      [CANARIES.WHATSAPP_TOKEN, "messages.example"],
      [ACCESS.token, "agent.example"],
    ] as const) {
      expect(reached.some(({ headers }) => headers.includes(key))).toBe(true);
      expect(strangers(key, host)).toEqual([]);
    }
  });
});
