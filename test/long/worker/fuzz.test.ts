import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { getSession } from "#shared/contracts/account/auth.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { BODY_BYTES, BODY_DEPTH } from "#shared/limits.ts";
import { cases, everyNth } from "#test/support/cases.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { pathOf, sampleBody, type Target } from "#test/support/samples.ts";
import { type Client, signIn, signInAdministrator } from "#test/support/worker.ts";
import { depthOf } from "#worker/platform/http/read-json.ts";

/** Of each call: enough for every kind of value to come, in any field. */
const PER_CALL = { sample: 6, full: 1_000 };

/** All go through the same reader of bodies, paths and queries. */
const calls = everyNth(Object.entries(ENDPOINTS), 3);
const withBody = calls.filter(([, { body }]) => body !== undefined);

let client: Client;
let target: Target;

/**
 * Each call gets a person and a chat of its own, as some calls end a session or a chat, and as all of them count towards limits;
 * an administrator where it is no address for others.
 */
async function enter(endpoint?: Endpoint): Promise<void> {
  client = await (endpoint?.access === "admin" ? signInAdministrator() : signIn());
  target = endpoint?.path.includes("/chat/") ? await startChatAndRead(client, "say fuzz me") : await emptyChat();
}

/** What a call that is about no chat names as one. */
async function emptyChat(): Promise<Target> {
  const { chat } = await client.take(createChat, { body: {} });
  return { chatId: chat.id, messageId: crypto.randomUUID(), replyId: crypto.randomUUID() };
}

async function send(path: string, init: RequestInit, type = "application/json") {
  const response = await client.fetch(path, { ...init, headers: { ...(init.body != null && { "content-type": type }) } });
  const text = await response.text();
  return { status: response.status, text };
}

/** Refused or done, but understood either way: never a failure of ours, always JSON with a code. */
function expectUnderstood({ status, text }: { status: number; text: string }, what: unknown): void {
  expect({ what, status, fine: status < 500 && (status < 400 || typeof JSON.parse(text).code === "string") }).toEqual({
    what,
    status,
    fine: true,
  });
}

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "\u0000",
    "\uD800",
    "a\u0000b",
    "__proto__",
    "constructor",
    "$where",
    "' OR 1=1 --",
    "%00",
    "../../etc/passwd",
    "\u202E",
    "😀".repeat(30),
  ),
  fc.integer({ min: 1, max: 4 }).map((size) => "x".repeat(10 ** (size + 1))),
);
const hostileValue = fc.oneof(
  { depthSize: "small" },
  hostileText,
  fc.constantFrom(null, true, -1, 0, 1e308, -0, 1.5, "NaN", 2 ** 53),
  fc.jsonValue({ maxDepth: 4 }),
);

describe.each(withBody)("%s", (name, endpoint) => {
  beforeAll(() => enter(endpoint));
  const path = () => pathOf(name, endpoint, target);
  const { method, bodyLength: bodyBytes = BODY_BYTES } = endpoint;

  it.each<[string, BodyInit, number]>([
    ["nothing", "", 400],
    ["half of an object", '{"id":', 400],
    ["no object", "[]", 400],
    ["a number", "1e999", 400],
    ["arrays too deep", "[".repeat(100_000) + "]".repeat(100_000), 400],
    ["objects too deep", '{"a":'.repeat(BODY_DEPTH + 1) + "1" + "}".repeat(BODY_DEPTH + 1), 400],
    ["quotes without an end", '["' + '\\"'.repeat(500_000), 400],
    ["more bytes than may be", JSON.stringify("x".repeat(bodyBytes)), 413],
  ])("refuses %s", async (_what, body, status) => {
    const answer = await send(path(), { method, body });
    expectUnderstood(answer, _what);
    expect(answer.status).toBe(status);
  });

  it("refuses a sound body with bytes in it that are no UTF-8", async () => {
    const sound = JSON.stringify({ ...Object(sampleBody(name, endpoint, target)), note: "\u0001" });
    const body = new TextEncoder().encode(sound.replace("\\u0001", "\u0001")).map((byte) => (byte === 1 ? 0xff : byte));
    const answer = await send(path(), { method, body });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("INVALID_JSON") });
  });

  it("refuses more bytes than may be when they come in pieces without a length", async () => {
    let sent = 0;
    const chunk = new Uint8Array(100_000).fill(0x20);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent > 4 * bodyBytes) return controller.close();
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    expect((await send(path(), { method, body })).status).toBe(413);
    expect(sent).toBeLessThan(2 * bodyBytes);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "text/json"])(
    "refuses %s, which other sites' forms can send",
    async (type) => {
      const body = JSON.stringify(sampleBody(name, endpoint, target));
      expect((await send(path(), { method, body }, type)).status).toBe(415);
    },
  );

  it("understands any value in any field", async () => {
    const fields = Object.keys(Object(sampleBody(name, endpoint, target)));
    const keys = fc.constantFrom(...fields, "id", "userId", "__proto__", "constructor", "toString");
    await fc.assert(
      fc.asyncProperty(fc.dictionary(keys, hostileValue, { maxKeys: 4 }), async (changes) => {
        const body = JSON.stringify({ ...Object(sampleBody(name, endpoint, target)), ...changes });
        expectUnderstood(await send(path(), { method, body }), body);
      }),
      cases(PER_CALL),
    );
    expect(Object.prototype).not.toHaveProperty("polluted");
    // Some calls end the session that the others need.
    if (!(await client.take(getSession, {})).user) await enter(endpoint);
  });
});

describe.each(calls.filter(([, { path, query }]) => path.includes(":") || query !== undefined))("%s", (name, endpoint) => {
  beforeAll(() => enter(endpoint));

  it("understands any path and query", async () => {
    const part = fc.oneof(
      hostileText.filter((text) => text.isWellFormed() && text.length < 1000).map((text) => encodeURIComponent(text)),
      fc.constantFrom("%", "%E0%A4%A", "%2e%2e%2f", "..;", "00000000-0000-0000-0000-000000000000", target.chatId.toUpperCase()),
    );
    const names = fc.constantFrom("cursor", "limit", "view", "before", "around", "by", "returnUrl", "state", "code", "__proto__");
    await fc.assert(
      fc.asyncProperty(part, fc.array(fc.tuple(names, part), { maxLength: 3 }), async (value, query) => {
        const body = endpoint.body ? JSON.stringify(sampleBody(name, endpoint, target)) : null;
        const path = endpoint.path.replaceAll(/:(\w+)/g, value === ".." ? "x" : value);
        const search = query.map(([key, text]) => `${key}=${text}`).join("&");
        const { status } = await send(`${path}?${search}`, { method: endpoint.method, body });
        expect({ path, search, fine: status < 500 }).toEqual({ path, search, fine: true });
      }),
      cases(PER_CALL),
    );
  });
});

describe("a chat", () => {
  beforeAll(() => enter());

  it("a chat keeps what was hostile in a title as it was, but for what nobody sees", async () => {
    for (const title of ["<img src=x onerror=alert(1)>", "' OR 1=1 --", "${SESSION_SECRET}", "{{constructor}}"]) {
      expect((await client.take(createChat, { body: { title } })).chat.title).toBe(title);
    }
    for (const [title, kept] of [
      ["a\u0000b", "ab"],
      ["\u202Etxt", "txt"],
    ] as const) {
      expect((await client.take(createChat, { body: { title } })).chat.title).toBe(kept);
    }
  });
});

it("the depth of a JSON text is counted as a parser would", () => {
  const depth = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 12, stringUnit: "binary" }), (value) => {
      expect(depthOf(JSON.stringify(value))).toBe(depth(value));
    }),
    cases({ sample: 500, full: 100_000 }),
  );
  expect(depthOf('"[[[[\\"[[["')).toBe(0);
});
