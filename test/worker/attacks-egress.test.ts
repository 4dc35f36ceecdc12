import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { canary } from "#test/support/canaries.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { complete, lookUpCost, streamCompletion } from "#worker/platform/clients/aggregator.ts";
import { fetchAggregatorModels } from "#worker/platform/clients/aggregator-models.ts";
import { lookUpTexts } from "#worker/platform/clients/dns.ts";
import { egressFetch } from "#worker/platform/clients/egress.ts";
import { embedTexts } from "#worker/platform/clients/embeddings.ts";
import { findImages, readPages } from "#worker/platform/clients/exa.ts";
import { exchangeCode } from "#worker/platform/clients/google.ts";
import { findFile, listFiles } from "#worker/platform/clients/google/drive.ts";
import { findThreads } from "#worker/platform/clients/google/gmail.ts";
import { renewGrant, revokeGrant } from "#worker/platform/clients/google/grant.ts";
import { fetchPicture } from "#worker/platform/clients/google-picture.ts";
import { beginAuthorization, parseMemory } from "#worker/platform/clients/mcp/oauth.ts";
import { openSession } from "#worker/platform/clients/mcp/session.ts";
import { readScan } from "#worker/platform/clients/file-parser/read-scan.ts";
import { placeCall, readCall, stopCall } from "#worker/platform/clients/runs/bland.ts";
import { createAgentRun, readAgentRun } from "#worker/platform/clients/runs/codegen.ts";
import { sendMail } from "#worker/platform/clients/mailer.ts";
import { fetchMedia, findMedia } from "#worker/platform/clients/whatsapp/media.ts";
import { sendCode, sendText } from "#worker/platform/clients/whatsapp/send.ts";
import { searchWeb } from "#worker/platform/clients/parallel-search.ts";
import { fetchRemoteImage } from "#worker/platform/clients/remote-image.ts";
import { transcribeSpeech } from "#worker/platform/clients/transcription.ts";
import { log } from "#worker/platform/log.ts";
import { plainError } from "#worker/platform/errors/plain-error.ts";
import { readPage } from "#worker/conversation/schedules/read-page.ts";

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
const NEVER_ABORTED = new AbortController().signal;
const MAIL = { to: "a@example.com", subject: "s", text: "t", html: "<p>t</p>" };
const ACCESS = { orgId: "1", token: "canary-codegen-token" };
const CALL = { phone_number: "+14155550123", task: "t", max_duration: 1, metadata: {} };
const GIVEN = { code: "c", verifier: "v", redirectUri: "http://localhost/", nonce: "n" };
const PROMPT = { model: "m", messages: [{ role: "user" as const, content: "hello" }] };

/** Everything that reaches out, and the one host it may reach. */
const WAYS: [string, string, () => Promise<unknown>][] = [
  ["the model list", "models.example", () => fetchAggregatorModels(CONFIGURED)],
  ["a streamed answer", "models.example", () => streamCompletion(CONFIGURED, PROMPT, { signal: NEVER_ABORTED, onEvent: () => undefined })],
  ["a whole answer", "models.example", () => complete(CONFIGURED, PROMPT)],
  ["a cost", "models.example", () => lookUpCost(CONFIGURED, "../../../evil?x=")],
  ["a mail", "mail.example", () => sendMail(CONFIGURED, MAIL, "http://localhost")],
  ["Google's token", "sign-in.example", () => exchangeCode(CONFIGURED, { id: "i", secret: "s" }, GIVEN)],
  ["a search", "search.example", () => searchWeb(CONFIGURED, SEARCH, NEVER_ABORTED)],
  ["pages", "pages.example", () => readPages(CONFIGURED, { urls: ["https://example.org/"], maxCharacters: 1 }, NEVER_ABORTED)],
  ["images", "pages.example", () => findImages(CONFIGURED, { query: "q", pages: 1 }, NEVER_ABORTED)],
  ["the code agent", "agent.example", () => createAgentRun(CONFIGURED, ACCESS, { prompt: "p", metadata: {} }, NEVER_ABORTED)],
  ["a run", "agent.example", () => readAgentRun(CONFIGURED, ACCESS, 1, NEVER_ABORTED)],
  ["a phone call", "phone.example", () => placeCall(CONFIGURED, CALL, NEVER_ABORTED)],
  ["a call that is under way", "phone.example", () => readCall(CONFIGURED, "../../evil?x=", NEVER_ABORTED)],
  ["the end of a call", "phone.example", () => stopCall(CONFIGURED, "c", NEVER_ABORTED)],
  ["a message", "messages.example", () => sendText(CONFIGURED, { to: { to: "14155550123" }, text: "t" })],
  ["a one-time code", "messages.example", () => sendCode(CONFIGURED, { phone: "+14155550123", code: "123456" })],
  ["a file that was sent", "messages.example", () => findMedia(CONFIGURED, "../../evil?x=")],
  ["a picture", "sign-in.example", () => fetchPicture(CONFIGURED, "https://sign-in.example/picture")],
];

let requests: { host: string; headers: string }[] = [];

const plainFetch = globalThis.fetch;

/** A network whose every host redirects to another, and which follows as the platform's own fetch does: headers and all. */
async function hostileNetwork(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const request = new Request(input, init);
  const { host, hostname } = new URL(request.url);
  // Chats of earlier tests may still ask the simulators, whose addresses are not configured here.
  if (hostname === "127.0.0.1") return plainFetch(input, init);
  requests.push({ host, headers: JSON.stringify([...request.headers]) });
  if (host === "evil.example") return Response.json({ data: [{ id: "evil/model" }], id_token: "x" });
  const target = "https://evil.example/collect";
  if (init.redirect === "manual") return new Response(null, { status: 307, headers: { location: target } });
  return hostileNetwork(target, init);
}

beforeEach(() => {
  requests = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(hostileNetwork);
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => void vi.restoreAllMocks());

it.each(WAYS)("a request for %s reaches the configured host alone, whatever it redirects to", async (_what, host, ask) => {
  await ask().catch(() => null);
  expect(requests.length).toBeGreaterThan(0);
  expect([...new Set(requests.map((request) => request.host))]).toEqual([host]);
});

it.each([
  "https://evil.example/a.png",
  "http://lh3.googleusercontent.com/a",
  "https://googleusercontent.com.evil.example/a",
  "file:///etc/passwd",
])("a request for a picture never reaches %s", async (address) => {
  expect(await fetchPicture(CONFIGURED, address)).toBeNull();
  expect(requests).toEqual([]);
});

it.each(["https://evil.example/a", "http://lookaside.fbsbx.com/a", "https://facebook.com.evil.example/a"])(
  "a request for a file of the messaging app never reaches %s",
  async (url) => {
    vi.spyOn(console, "error").mockReturnValue();
    expect(await fetchMedia(CONFIGURED, { url, type: "", size: 1 }, 10)).toMatchObject({ ok: false });
    expect(requests).toEqual([]);
  },
);

it("a request for a page that a schedule reads goes by https alone, whatever its address and its redirects say", async () => {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { href, searchParams } = new URL(new Request(input, init).url);
    if (href.startsWith(env.DNS_SIMULATOR)) {
      return Response.json({ Status: 0, Answer: searchParams.get("type") === "A" ? [{ type: 1, data: "93.184.215.14" }] : [] });
    }
    asked.push(href);
    const isOld = href.endsWith("/old");
    return isOld ? new Response(null, { status: 302, headers: { location: "http://news.example.org/new" } }) : new Response("Bread 3 €");
  });
  expect(await readPage(CONFIGURED, "http://news.example.org:80/old", undefined)).toEqual({ ok: true, text: "Bread 3 €" });
  expect(asked).toEqual(["https://news.example.org/old", "https://news.example.org/new"]);
});

it.each([
  ["whose address is", "https://a.example/?", 8_001, {}],
  ["of whose headers one is", "https://a.example/", 0, { authorization: `Bearer ${"0".repeat(16_001)}` }],
  [
    "whose headers together are",
    "https://a.example/",
    0,
    Object.fromEntries(Array.from({ length: 3 }, (_, n) => [`x-${n}`, "0".repeat(6_000)])),
  ],
])("no request has %s longer than servers take", async (_what, address, length, headers) => {
  await expect(egressFetch(address.padEnd(length, "0"), { headers })).rejects.toThrow("too long to be sent");
  expect(requests).toEqual([]);
  await egressFetch(address.padEnd(Math.min(length, 8_000), "0"), { headers: { authorization: `Bearer ${"0".repeat(8_000)}` } });
  expect(requests).toHaveLength(1);
});

it("a request carries each service's key to that service alone", async () => {
  for (const [, , ask] of WAYS) await ask().catch(() => null);
  const strangers = (key: string, host: string) => requests.filter(({ headers, host: to }) => headers.includes(key) && to !== host);
  for (const [key, host] of [
    [canary("OPENROUTER_API_KEY"), "models.example"],
    [canary("RESEND_API_KEY"), "mail.example"],
    [canary("PARALLEL_API_KEY"), "search.example"],
    [canary("EXA_API_KEY"), "pages.example"],
    [canary("BLAND_API_KEY"), "phone.example"],
    [canary("WHATSAPP_TOKEN"), "messages.example"],
    [ACCESS.token, "agent.example"],
  ] as const) {
    expect(requests.some(({ headers }) => headers.includes(key))).toBe(true);
    expect(strangers(key, host)).toEqual([]);
  }
});

/** What services may know of a person, or of us, and repeat in whatever they answer. */
const PRIVATE = ["canary.person", "Canaria Petrel", "1512 7654321", "canary diagnosis", "c4naryt0k3n"];
const LEAKED_TEXT = `Canaria Petrel <canary.person@mail.example>, +49 1512 7654321: my canary diagnosis; Bearer c4naryt0k3n-abcdefghijklmnop`;
const SAYING = {
  ...Object.fromEntries(
    ["message", "detail", "details", "error_description", "name", "tag", "title", "data", "choices", "id_token"].map((key) => [
      key,
      LEAKED_TEXT,
    ]),
  ),
  ...Object.fromEntries(
    ["access_token", "scope", "reason", "errors", "results", "url", "email", "sub", "nonce", LEAKED_TEXT].map((key) => [key, LEAKED_TEXT]),
  ),
};
const REFUSAL = {
  ...SAYING,
  code: LEAKED_TEXT,
  type: LEAKED_TEXT,
  param: LEAKED_TEXT,
  status: LEAKED_TEXT,
  metadata: { raw: LEAKED_TEXT, provider_name: LEAKED_TEXT, reasons: [LEAKED_TEXT], error_type: LEAKED_TEXT },
  error_data: { details: LEAKED_TEXT },
  errors: [{ reason: LEAKED_TEXT, message: LEAKED_TEXT }],
  details: [{ reason: LEAKED_TEXT }],
};
const HEADERS = {
  "retry-after": LEAKED_TEXT,
  "www-authenticate": `Bearer error="${LEAKED_TEXT.replaceAll('"', "")}"`,
  "x-request-id": LEAKED_TEXT,
};

/** Every form in which a service says something that is not what was asked for. */
const OUTSIDE: [string, () => Response][] = [
  ["an object that is none of the expected", () => Response.json(SAYING, { headers: HEADERS })],
  ["a list", () => Response.json([SAYING, LEAKED_TEXT], { headers: HEADERS })],
  ["words that are no JSON", () => new Response(`${LEAKED_TEXT} {"a`, { headers: { "content-type": "application/json" } })],
  ["a page", () => new Response(`<html><title>${LEAKED_TEXT}</title>`, { status: 502, headers: { "content-type": "text/html" } })],
  ["a refused request", () => Response.json({ ...REFUSAL, error: REFUSAL }, { status: 400, headers: HEADERS })],
  ["a refusal with a code", () => Response.json({ jsonrpc: "2.0", id: 0, error: { ...REFUSAL, code: 190 } }, { status: 400 })],
  ["an answer that is an error", () => Response.json({ jsonrpc: "2.0", id: 0, error: { ...REFUSAL, code: -32_000, data: SAYING } })],
  ["a refused key", () => Response.json({ ...SAYING, error: LEAKED_TEXT }, { status: 401, headers: HEADERS })],
  ["a failure", () => Response.json({ ...SAYING, error: LEAKED_TEXT }, { status: 500, headers: HEADERS })],
  [
    "an event of a stream",
    () =>
      new Response(`data: ${JSON.stringify({ error: REFUSAL })}\n\ndata: ${LEAKED_TEXT}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      }),
  ],
  [
    "a redirect",
    () => new Response(null, { status: 302, headers: { location: `https://evil.example/?q=${encodeURIComponent(LEAKED_TEXT)}` } }),
  ],
];

const OWN = { redirectUrl: "https://chat.example/back", documentUrl: "https://chat.example/client", origin: "https://chat.example" };
const SERVER = "https://tools.example/mcp";
const SPEECH = { bytes: new Uint8Array(4), type: { type: "audio/webm", extension: "webm" } };
const ALL_WAYS: [string, () => Promise<unknown>][] = [
  ...WAYS.map(([what, , ask]): [string, () => Promise<unknown>] => [what, ask]),
  ["embeddings", () => embedTexts(CONFIGURED, { model: "m", texts: ["t"] })],
  ["a scan", () => readScan(CONFIGURED, { model: "m", name: "a.pdf", bytes: new Uint8Array(4) })],
  ["a recording's words", () => transcribeSpeech({ url: "https://models.example/api/v1", key: "k", model: "m", price: 0 }, SPEECH)],
  ["Drive's files", () => listFiles(CONFIGURED, "t", { pageToken: null })],
  ["a file of Drive", () => findFile(CONFIGURED, "t", { id: "f", resourceKey: null })],
  ["Gmail's threads", () => findThreads({ env: CONFIGURED, token: "t", signal: NEVER_ABORTED }, { q: "q", limit: 1, page: undefined })],
  ["a renewed grant", () => renewGrant(CONFIGURED, { id: "i", secret: "s" }, { refreshToken: "r", scopes: [] })],
  ["a revoked grant", () => revokeGrant(CONFIGURED, "t")],
  ["DNS", () => lookUpTexts(CONFIGURED, "example.org")],
  ["a remote image", () => fetchRemoteImage(CONFIGURED, "https://pictures.example/a.png", "chat.example")],
  ["a page that a schedule reads", () => readPage(CONFIGURED, "https://news.example/", undefined)],
  ["a file of the messaging app", () => fetchMedia(CONFIGURED, { url: "https://lookaside.fbsbx.com/a", type: "", size: 1 }, 10)],
  ["a connected tool", () => openSession(CONFIGURED, { url: SERVER, headers: {}, token: null }, NEVER_ABORTED)],
  [
    "signing in to a connected tool",
    () => beginAuthorization({ env: CONFIGURED, serverUrl: SERVER, own: OWN, registered: null, memory: parseMemory({}) }, "s"),
  ],
];

it.each(ALL_WAYS)(
  "what a service answers for %s leaves nothing of a person in the log, nor where jobs keep their failures",
  async (_what, ask) => {
    const lines: string[] = [];
    for (const level of ["error", "warn"] as const) vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
    for (const [form, answer] of OUTSIDE) {
      vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
        new URL(new Request(input, init).url).hostname === "127.0.0.1" ? plainFetch(input, init) : answer(),
      );
      const cause: unknown = await ask().catch((error: unknown) => error);
      log.error(form, { cause });
      lines.push(JSON.stringify(plainError(cause)));
    }
    expect(lines.length).toBeGreaterThanOrEqual(2 * OUTSIDE.length);
    expect(lines.filter((line) => PRIVATE.some((secret) => line.includes(secret)))).toEqual([]);
  },
);
