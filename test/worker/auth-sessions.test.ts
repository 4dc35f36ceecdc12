import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkFreshSignIn, getSession, signOut } from "#shared/contracts/account/auth.ts";
import { endSession, listSessions } from "#shared/contracts/account/sessions.ts";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import { createMcpConnection, updateMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { getUser, putPicture, updateUser } from "#shared/contracts/account/users.ts";
import { newestCode } from "#test/support/mailbox.ts";
import { png } from "#test/support/pictures.ts";
import { startChat } from "#test/support/replies.ts";
import { SESSION_COOKIE } from "#test/support/seed-account.ts";
import { askForCode, cookiesOf, post, ageSignIn, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { type Client, newAddress, refusal, signIn, signInAdministrator, signInByMail, visit, visitor } from "#test/support/worker.ts";
import { signingKey } from "#worker/people/signing-keys/keys.ts";
import { sha256 } from "#worker/platform/random.ts";
import { readSessionToken } from "#worker/people/sessions/session-token.ts";
import { configOf } from "#worker/platform/env.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

afterEach(() => void vi.useRealTimers());

function travel(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

function cookieOf(client: Client): string {
  return client.cookies.get(SESSION_COOKIE) ?? "";
}

function partsOf(client: Client): [secret: string, header: string, claims: string, signature: string] {
  const [secret = "", header = "", claims = "", signature = ""] = cookieOf(client).split(".");
  return [secret, header, claims, signature];
}

/** A tab's live socket: how often and with which code it was closed. */
async function openSocket(client: Client) {
  const { webSocket } = await client.fetch("/api/live", { headers: { upgrade: "websocket" } });
  if (!webSocket) throw new Error("No socket was opened.");
  const closed: number[] = [];
  webSocket.addEventListener("close", ({ code }) => void closed.push(code));
  webSocket.accept();
  return closed;
}

/** The session that a bare cookie opens, and what the answer did to the cookie. */
async function sessionOf(cookie: string) {
  const response = await visit("/api/auth/session", { headers: { cookie: `${SESSION_COOKIE}=${cookie}` } });
  const { user }: { user: { id: string } | null } = await response.json();
  const [line] = response.headers.getSetCookie();
  return { userId: user?.id ?? null, isCleared: line !== undefined && /^polylogue-session=;.*Max-Age=0/.test(line), line };
}

const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

it("the session's cookie is out of scripts' and other sites' reach, and goes by a plain name on http://localhost", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const body = { email, code: await askForCode(browser, email) };
  const response = await visit("/api/auth/email/verify", post(body, cookiesOf(browser)));
  const [line, ...others] = response.headers.getSetCookie();
  // What the browser is known by afterwards, and nothing else.
  expect(others).toEqual([
    expect.stringMatching(/^polylogue-known=[\w-]{43}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  expect(line).toMatch(/^polylogue-session=[\w-]{43}\.[\w-]+\.[\w-]+\.[\w-]{43}; /);
  expect(line).toContain("; HttpOnly");
  expect(line).toContain("; SameSite=Lax");
  expect(line).toContain("; Path=/");
  const seconds = Number(/; Max-Age=(\d+);/.exec(line ?? "")?.[1]);
  // As many as are left of 30 days when the answer is made.
  expect(seconds).toBeGreaterThan(2_592_000 - 60);
  expect(seconds).toBeLessThanOrEqual(2_592_000);
  expect(line).not.toContain("Secure");
  expect(line).not.toContain("Domain");
});

it("the session's cookie is __Host- and Secure everywhere else", async () => {
  const email = newAddress();
  const headers = { origin: "https://chat.example.com" };
  const started = await visit("https://chat.example.com/api/auth/email/start", post({ email }, headers));
  const [browser = ""] = started.headers.getSetCookie();
  expect(browser).toMatch(/^__Host-browser=.*; HttpOnly; Secure/);
  const code = (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
  const init = post({ email, code }, { ...headers, cookie: browser.split(";")[0] ?? "" });
  const response = await visit("https://chat.example.com/api/auth/email/verify", init);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-session=.*; Secure/),
    expect.stringMatching(/^__Host-known=.*; HttpOnly; Secure/),
  ]);
});

it("the session's cookie holds nothing that the database does", async () => {
  const client = await signInByMail();
  const [secret] = partsOf(client);
  const rows = await env.DB.prepare("SELECT * FROM sessions WHERE user_id = ?").bind(client.user.id).all();
  expect(rows.results).toHaveLength(1);
  expect(JSON.stringify(rows.results)).not.toContain(secret);
});

it("the session's cookie is new with every sign-in, and the one before opens nothing then", async () => {
  const client = await signInByMail();
  const before = cookieOf(client);
  await signInByMail(client, client.email);
  expect(cookieOf(client)).not.toBe(before);
  travel(6 * MINUTE);
  expect((await sessionOf(before)).userId).toBeNull();
});

it("a tampered cookie counts as none and is cleared, whatever part was changed", async () => {
  const client = await signInByMail();
  const other = await signInByMail();
  const [secret, header, claims, signature] = partsOf(client);
  const [otherSecret, , otherClaims, otherSignature] = partsOf(other);
  // The true one was checked before, which must not let another one in.
  for (const known of [client, other]) expect((await sessionOf(cookieOf(known))).userId).toBe(known.user.id);
  const forged = [
    `${secret}.${header}.${claims}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    `${secret}.${header}.${otherClaims}.${signature}`,
    `${secret}.${header}.${otherClaims}.${otherSignature}`,
    `${otherSecret}.${header}.${claims}.${signature}`,
    `${secret}.${encode({ alg: "none" })}.${claims}.`,
    `${secret}.${encode({ alg: "HS512" })}.${claims}.${signature}`,
    `${secret}.${header}.${claims}`,
    secret,
    `.${header}.${claims}.${signature}`,
    "x",
    ".",
    "%00",
    "a".repeat(3000),
  ];
  for (const cookie of forged) {
    expect({ cookie, ...(await sessionOf(cookie)) }).toMatchObject({ cookie, userId: null, isCleared: true });
  }
  expect((await sessionOf(cookieOf(client))).userId).toBe(client.user.id);
});

it("a cookie signed with another secret counts as none", async () => {
  const client = await signInByMail();
  expect((await sessionOf(cookieOf(client))).userId).toBe(client.user.id);
  const init = { headers: { cookie: `${SESSION_COOKIE}=${cookieOf(client)}` } };
  const response = await visitWith({ SESSION_SECRET: "another-secret-of-more-than-32-characters" }, "/api/auth/session", init);
  expect(await response.json()).toMatchObject({ user: null });
});

it("a cookie signed with an older secret counts as long as that is given beside the newest, which signs it anew", async () => {
  const client = await signInByMail();
  const cookie = cookieOf(client);
  const init = { headers: { cookie: `${SESSION_COOKIE}=${cookie}` } };
  const rotated = {
    SESSION_SECRET: "another-secret-of-more-than-32-characters",
    OLD_SESSION_SECRETS: `${"x".repeat(32)}, ${env.SESSION_SECRET}`,
  };
  const asked = async (path: string, deployment: typeof rotated) => visitWith(deployment, path, init);
  expect(await (await asked("/api/user", rotated)).json()).toMatchObject({ user: { id: client.user.id } });
  travel(6 * MINUTE);
  const renewed = await asked("/api/auth/session", rotated);
  expect(await renewed.json()).toMatchObject({ user: { id: client.user.id } });
  const next = /session=([^;]+)/.exec(renewed.headers.get("set-cookie") ?? "")?.[1] ?? "";
  const alone = { SESSION_SECRET: rotated.SESSION_SECRET };
  const after = await visitWith(alone, "/api/user", { headers: { cookie: `${SESSION_COOKIE}=${next}` } });
  expect(await after.json()).toMatchObject({ user: { id: client.user.id } });
});

it("a cookie says what it is, for whom and until when; one that does not has its row asked", async () => {
  const client = await signInByMail();
  const [secret, header, claims] = partsOf(client);
  const read = (part: string): unknown => JSON.parse(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
  expect(read(header)).toEqual({ alg: "HS256", typ: "session-token+jwt" });
  expect(read(claims)).toMatchObject({ aud: "session-token", sub: client.user.id });
  const sign = async (given: { typ?: string; aud?: string; isEndless?: boolean }) => {
    const { aud: _aud, exp, ...rest } = Object(read(claims));
    const token = new SignJWT({ ...rest, ...(given.isEndless !== true && { exp }), ...(given.aud !== undefined && { aud: given.aud }) });
    const key = await signingKey(configOf(env), "session-token");
    return `${secret}.${await token.setProtectedHeader({ alg: "HS256", ...(given.typ !== undefined && { typ: given.typ }) }).sign(key)}`;
  };
  const ENDLESS = { typ: "session-token+jwt", aud: "session-token", isEndless: true };
  for (const given of [{}, { typ: "session-token+jwt" }, { typ: "session-token+jwt", aud: "google-transaction" }, ENDLESS]) {
    const answer = await sessionOf(await sign(given));
    expect(answer).toMatchObject({ userId: client.user.id });
    const state = await readSessionToken(env, (await sign(given)).slice(secret.length + 1), await sha256(secret));
    expect(state).toEqual({ kind: "stale" });
  }
});

it("a tampered cookie opens nothing that needs a session", async () => {
  const response = await visit("/api/user", { headers: { cookie: `${SESSION_COOKIE}=forged.a.b.c` } });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: "UNAUTHENTICATED" });
});

it("a short secret signs no cookie: the deployment says what it lacks", async () => {
  const init = { headers: { cookie: `${SESSION_COOKIE}=a.b.c.d` } };
  const response = await visitWith({ SESSION_SECRET: "short" }, "/api/auth/session", init);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: expect.stringContaining("SESSION_SECRET") });
});

it("renewing keeps the token for five minutes, then signs it again", async () => {
  const client = await signInByMail();
  const first = cookieOf(client);
  travel(4 * MINUTE);
  expect((await sessionOf(first)).line).toBeUndefined();
  travel(2 * MINUTE);
  const renewed = await sessionOf(first);
  expect(renewed.userId).toBe(client.user.id);
  expect(renewed.line).toMatch(new RegExp(`^polylogue-session=${first.slice(0, 43)}\\.`));
  expect(renewed.line).not.toContain(first);
});

it("renewing writes the row at most hourly", async () => {
  const client = await signInByMail();
  const lastSeen = async () => {
    const row = await env.DB.prepare("SELECT last_seen_at AS at FROM sessions WHERE user_id = ?")
      .bind(client.user.id)
      .first<{ at: string }>();
    return Date.parse(row?.at ?? "");
  };
  const start = await lastSeen();
  travel(59 * MINUTE);
  await client.take(getSession, {});
  expect(await lastSeen()).toBe(start);
  travel(6 * MINUTE);
  await client.take(getSession, {});
  expect(await lastSeen()).toBeGreaterThanOrEqual(start + 60 * MINUTE);
});

it("renewing ends after 30 days without use", async () => {
  const client = await signInByMail();
  travel(30 * DAY + MINUTE);
  expect(await sessionOf(cookieOf(client))).toMatchObject({ userId: null, isCleared: true });
});

it("renewing goes on with use, but ends after 90 days", async () => {
  const client = await signInByMail();
  for (let day = 0; day < 80; day += 20) {
    travel(20 * DAY);
    expect((await client.take(getSession, {})).user?.id).toBe(client.user.id);
  }
  travel(10 * DAY + MINUTE);
  expect((await client.take(getSession, {})).user).toBeNull();
  expect(client.cookies.has(SESSION_COOKIE)).toBe(false);
});

it("signing out ends this session and leaves the others", async () => {
  const here = await signInByMail();
  const there = await signInByMail(visitor(), here.email);
  const cookie = cookieOf(here);
  await here.take(signOut, { body: {} });
  expect(here.cookies.has(SESSION_COOKIE)).toBe(false);
  travel(6 * MINUTE);
  expect(await sessionOf(cookie)).toMatchObject({ userId: null, isCleared: true });
  expect((await there.take(getSession, {})).user?.id).toBe(here.user.id);
});

it("signing out ends all sessions where asked to", async () => {
  const here = await signInByMail();
  const there = await signInByMail(visitor(), here.email);
  const stranger = await signInByMail();
  await here.take(signOut, { body: { everywhere: true } });
  expect((await there.take(getSession, {})).user).toBeNull();
  expect((await stranger.take(getSession, {})).user?.id).toBe(stranger.user.id);
});

it("signing out holds at once for what changes something", async () => {
  const here = await signInByMail();
  const there = await signInByMail(visitor(), here.email);
  await here.take(signOut, { body: { everywhere: true } });
  expect(await there.call(updateUser, { body: { display_name: "Still here" } })).toMatchObject({ ok: false, status: 401 });
});

it("signing out holds at once for what stays open", async () => {
  const here = await signInByMail();
  const cookie = `${SESSION_COOKIE}=${cookieOf(here)}`;
  await here.take(signOut, { body: {} });
  const socket = await visit("/api/live", { headers: { cookie, upgrade: "websocket", origin: "http://localhost" } });
  expect(socket.status).toBe(401);
  const path = `/api/chat/${crypto.randomUUID()}/replies/${crypto.randomUUID()}`;
  for (const accept of ["text/event-stream", "TEXT/EVENT-STREAM", "*/*", ""]) {
    expect([accept, (await visit(path, { headers: { cookie, accept } })).status]).toEqual([accept, 401]);
  }
});

it("signing out closes this session's sockets at once and leaves another's", async () => {
  const here = await signInByMail();
  const there = await signInByMail(visitor(), here.email);
  const [closedHere, closedThere] = [await openSocket(here), await openSocket(there)];
  await here.take(signOut, { body: {} });
  await until("the socket's end", () => closedHere.length > 0);
  expect([closedHere, closedThere]).toEqual([[4001], []]);
  await there.take(signOut, { body: { everywhere: true } });
  await until("the other socket's end", () => closedThere.length > 0);
});

it("a session that ends by its time ends what stays open too: its socket says nothing more, and the stream of a reply ends", async () => {
  const [here, there] = [await signInByMail(), visitor()];
  await signInByMail(there, here.email);
  const chat = await startChat(there, "speed 20\nbytes 4000");
  const { webSocket } = await there.fetch("/api/live", { headers: { upgrade: "websocket" } });
  if (!webSocket) throw new Error("No socket was opened.");
  const [frames, closed]: [string[], number[]] = [[], []];
  webSocket.addEventListener("message", ({ data }) => void frames.push(String(data)));
  webSocket.addEventListener("close", ({ code }) => void closed.push(code));
  webSocket.accept();
  const response = await there.fetch(`/api/chat/${chat.chatId}/replies/${chat.replyId}`, { headers: { accept: "text/event-stream" } });
  const followed = response.text();
  await until("the socket's first word", () => frames.some((frame) => frame.includes("hello")));
  await env.DB.prepare("UPDATE sessions SET expires_at = ?, last_seen_at = ? WHERE id <> ? AND user_id = ?")
    .bind(...[60, 30].map((days) => new Date(Date.now() + days * DAY).toISOString()), await sha256(partsOf(there)[0]), here.user.id)
    .run();
  travel(30 * DAY + MINUTE);
  expect(await followed).not.toContain('"settled"');
  frames.length = 0;
  await here.take(updateUser, { body: { display_name: "Not for a browser left open" } });
  await until("the socket's end", () => closed.length > 0);
  expect([closed, frames]).toEqual([[1012], []]);
  expect((await there.fetch("/api/live", { headers: { upgrade: "websocket" } })).status).toBe(401);
});

it("a guest's session that became an account's has its sockets closed, which stayed open till then", async () => {
  const client = visitor();
  await startChat(client, "say hi", "openai/gpt-5-nano");
  const closed = await openSocket(client);
  await signInByMail(client);
  expect(closed).toEqual([]);
  await client.take(signOut, { body: {} });
  await until("the socket's end", () => closed.length > 0);
  expect(closed).toEqual([4001]);
});

it("signing in to another account closes the first one's sockets", async () => {
  const client = await signInByMail();
  const closed = await openSocket(client);
  await signInByMail(client, newAddress());
  await until("the socket's end", () => closed.length > 0);
  expect(closed).toEqual([4001]);
});

it("signing out needs a session, and takes no GET", async () => {
  expect(await visitor().call(signOut, { body: {} })).toMatchObject({ ok: false, status: 401 });
  const client = await signInByMail();
  const response = await client.fetch("/api/auth/signout");
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
  expect((await client.take(getUser, {})).user.id).toBe(client.user.id);
});

describe("a fresh sign-in", () => {
  const OWN = [
    "acceptMcpTools",
    "checkFreshSignIn",
    "connectCodegen",
    "createApiKey",
    "createMcpConnection",
    "deleteAdditionalEmail",
    "endLinkedSignIn",
    "endSession",
    "shareKnowledge",
    "sharePersona",
    "sharePrompt",
    "signInToMcp",
    "startAccountExport",
    "startAdditionalEmail",
    "startWhatsAppSetup",
    "unlinkWhatsApp",
    "updateApiKey",
  ];
  const asked = Object.entries(ENDPOINTS).filter(([, { freshMinutes }]) => freshMinutes !== undefined);
  const isCritical = ([name, { access, method }]: (typeof asked)[number]) =>
    name === "deleteAccount" || (access === "admin" && method !== "GET");

  it("a fresh sign-in is asked for by every action of administration and the account's deletion, and by what changes who else gets in", () => {
    const minutes = (name: string) => ENDPOINTS[name]?.freshMinutes;
    for (const name of OWN) expect([name, minutes(name)]).toEqual([name, 60]);
    const criticalEndpoints = Object.entries(ENDPOINTS).filter(isCritical);
    expect(criticalEndpoints.length).toBeGreaterThan(10);
    for (const [name] of criticalEndpoints) expect([name, minutes(name)]).toEqual([name, 10]);
  });

  it("a fresh sign-in is one of the last hour, or of the last ten minutes where it counts more", async () => {
    const [person, admin] = [await signIn(), await signInAdministrator()];
    const visitAs = async ({ method, path, access }: (typeof asked)[number][1]) => {
      const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, crypto.randomUUID()]));
      const init = method === "GET" ? {} : { method, headers: { "content-type": "application/json" }, body: "{}" };
      const address = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? "");
      const response = await (access === "admin" ? admin : person).fetch(address, init);
      const { code }: { code?: string } = await response.json();
      return code === "FRESH_SIGN_IN_REQUIRED";
    };
    for (const entry of asked) {
      const minutes = entry[1].freshMinutes ?? 0;
      for (const who of [person, admin]) await ageSignIn(who, minutes + 0.1);
      expect([entry[0], await visitAs(entry[1])]).toEqual([entry[0], true]);
      for (const who of [person, admin]) await ageSignIn(who, minutes - 0.5);
      expect([entry[0], await visitAs(entry[1])]).toEqual([entry[0], false]);
    }
  });

  it("a fresh sign-in is needed to publish a chat, but not to take it back, and to end other sessions, but not one's own", async () => {
    const person = await signIn();
    const { chatId } = await startChat(person, "To be read by all");
    const params = { id: chatId };
    await ageSignIn(person, 61);
    expect(refusal(await person.call(updateChat, { params, body: { public: true } }))).toBe("FRESH_SIGN_IN_REQUIRED");
    expect(refusal(await person.call(signOut, { body: { everywhere: true } }))).toBe("FRESH_SIGN_IN_REQUIRED");
    expect(await person.take(updateChat, { params, body: { title: "Of my own" } })).toMatchObject({ chat: { public: false } });
    await ageSignIn(person, 59);
    expect(await person.take(updateChat, { params, body: { public: true } })).toMatchObject({ chat: { public: true } });
    await ageSignIn(person, 61);
    expect(await person.take(updateChat, { params, body: { public: false } })).toMatchObject({ chat: { public: false } });
    await person.take(signOut, { body: {} });
  });

  it("a fresh sign-in is needed to change a connection to an MCP server, but not to switch it off or to trust it no more", async () => {
    const person = await signIn();
    const body = { name: "Weather", server_url: `${env.MCP_SIMULATOR}/weather/mcp`, trusted: true };
    const { connection } = await person.take(createMcpConnection, { body });
    const params = { id: connection.id };
    const change = async (changes: BodyOf<typeof updateMcpConnection>) => person.call(updateMcpConnection, { params, body: changes });
    await ageSignIn(person, 61);
    const gives = [
      { enabled: true },
      { trusted: true },
      { name: "Sky" },
      { enabled: false, name: "Sky" },
      { enabled: false, token: "secret" },
    ];
    for (const changes of gives) expect([changes, refusal(await change(changes))]).toEqual([changes, "FRESH_SIGN_IN_REQUIRED"]);
    expect(await change({ enabled: false })).toMatchObject({ ok: true, body: { connection: { enabled: false, trusted: true } } });
    expect(await change({ trusted: false })).toMatchObject({ ok: true, body: { connection: { enabled: false, trusted: false } } });
    await ageSignIn(person, 59);
    expect(await change({ enabled: true, name: "Sky" })).toMatchObject({ ok: true, body: { connection: { enabled: true, name: "Sky" } } });
  });

  it("a fresh sign-in is a new session, and the one before opens nothing any more", async () => {
    const person = await signInByMail();
    await ageSignIn(person, 61);
    expect(refusal(await person.call(checkFreshSignIn, {}))).toBe("FRESH_SIGN_IN_REQUIRED");
    const before = cookieOf(person);
    const again = await signInByMail(person, person.email);
    expect(again.user.id).toBe(person.user.id);
    await person.take(checkFreshSignIn, {});
    expect(await sessionOf(before)).toMatchObject({ userId: null });
  });
});

it("the browsers that are signed in are listed for their person alone, by names that open nothing, and one is signed out at once with what it holds open", async () => {
  const here = await signInByMail();
  const there = visitor();
  await signInByMail(there, here.email);
  const stranger = await signInByMail();
  await env.DB.prepare("UPDATE sessions SET user_agent = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' WHERE id = ?")
    .bind(await sha256(partsOf(there)[0]))
    .run();
  const { sessions } = await here.take(listSessions, {});
  expect(sessions).toEqual([
    expect.objectContaining({ is_this: true, keeps_nothing: false }),
    expect.objectContaining({ is_this: false, name: "Firefox on Windows" }),
  ]);
  for (const client of [here, there]) expect(JSON.stringify(sessions)).not.toContain(await sha256(partsOf(client)[0]));
  const [closedHere, closedThere] = [await openSocket(here), await openSocket(there)];
  const params = { id: sessions[1]?.id ?? "" };
  expect(await stranger.call(endSession, { params })).toMatchObject({ status: 404 });
  await ageSignIn(here, 61);
  expect(refusal(await here.call(endSession, { params }))).toBe("FRESH_SIGN_IN_REQUIRED");
  await ageSignIn(here, 59);
  await here.take(endSession, { params });
  await until("the other socket's end", () => closedThere.length > 0);
  expect([closedHere, closedThere]).toEqual([[], [4001]]);
  expect(await there.call(listSessions, {})).toMatchObject({ status: 401 });
  expect((await here.take(listSessions, {})).sessions.map(({ is_this: isThis }) => isThis)).toEqual([true]);
  expect(await here.call(endSession, { params })).toMatchObject({ status: 404 });
});

it("the browsers that are signed in are those whose session has not ended by its time, the one used last first after this one", async () => {
  const here = await signInByMail();
  for (const days of [2, 1, 31]) {
    const other = visitor();
    await signInByMail(other, here.email);
    const [seen, end] = [-days, 30 - days].map((offset) => new Date(Date.now() + offset * DAY).toISOString());
    await env.DB.prepare("UPDATE sessions SET last_seen_at = ?, expires_at = ? WHERE id = ?")
      .bind(seen, end, await sha256(partsOf(other)[0]))
      .run();
  }
  const { sessions } = await here.take(listSessions, {});
  const days = sessions.map(({ last_seen_at: seen }) => Math.round((Date.now() - Date.parse(seen)) / DAY));
  expect([sessions[0]?.is_this, days]).toEqual([true, [0, 1, 2]]);
});

describe("a browser that keeps nothing", () => {
  const verify = async (browser: Client, email: string, keepNothing?: boolean) => {
    const body = { email, code: await askForCode(browser, email), ...(keepNothing !== undefined && { keeps_nothing: keepNothing }) };
    const response = await browser.fetch("/api/auth/email/verify", post(body));
    return response.headers.getSetCookie().find((line) => line.startsWith(`${SESSION_COOKIE}=`)) ?? "";
  };

  it("a browser that keeps nothing forgets its session when it is closed, also when that is renewed or proved again, and after twelve hours of rest", async () => {
    const [browser, email] = [visitor(), newAddress()];
    expect(await verify(browser, email, true)).not.toMatch(/max-age|expires/i);
    expect(await browser.take(getSession, {})).toMatchObject({ keeps_nothing: true });
    travel(6 * MINUTE);
    expect((await sessionOf(cookieOf(browser))).line).not.toMatch(/max-age|expires/i);
    expect(await verify(browser, email)).not.toMatch(/max-age|expires/i);
    travel(11 * 60 * MINUTE);
    expect((await sessionOf(cookieOf(browser))).userId).not.toBeNull();
    travel(13 * 60 * MINUTE);
    expect((await sessionOf(cookieOf(browser))).userId).toBeNull();
  });

  it("a browser that keeps nothing holds no picture and no file either, by a read that is made while the session's row is read", async () => {
    const [browser, email] = [visitor(), newAddress()];
    await verify(browser, email);
    expect((await browser.fetch(putPicture.path, { method: "PUT", body: png(64, 64) })).status).toBe(200);
    const path = (await browser.take(getSession, {})).user?.profile_image ?? "";
    const cacheControl = async () => (await browser.fetch(path)).headers.get("cache-control");
    expect(await cacheControl()).toMatch(/^private/);
    await verify(browser, email, true);
    expect(await cacheControl()).toBe("no-store");
    expect((await visitor().fetch(path)).headers.get("cache-control")).toMatch(/^private/);
  });

  it("a browser that keeps nothing, like any other, holds nothing that was read by whoever signs out", async () => {
    const person = await signIn();
    const response = await person.fetch(signOut.path, post({}));
    expect(response.headers.get("clear-site-data")).toBe('"cache"');
  });

  it("a browser that keeps nothing is not known there the next time", async () => {
    const [browser, email] = [visitor(), newAddress()];
    await verify(browser, email, true);
    expect([...browser.cookies.keys()].filter((name) => name.endsWith("known"))).toEqual([]);
    await verify(browser, email, false);
    expect([...browser.cookies.keys()].filter((name) => name.endsWith("known"))).toHaveLength(1);
  });

  it("a browser that keeps nothing is one that asked for it, with this sign-in", async () => {
    const [browser, email] = [visitor(), newAddress()];
    expect(await verify(browser, email)).toMatch(/Max-Age=\d{7}/);
    expect(await browser.take(getSession, {})).toMatchObject({ keeps_nothing: false });
    await verify(browser, email, true);
    expect(await browser.take(getSession, {})).toMatchObject({ keeps_nothing: true });
    expect(await verify(browser, email, false)).toMatch(/Max-Age=\d{7}/);
  });
});
