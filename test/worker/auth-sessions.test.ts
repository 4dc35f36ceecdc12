import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { getSession, signOut } from "#shared/contracts/account/auth.ts";
import { getUser, updateUser } from "#shared/contracts/account/users.ts";
import { newestCode } from "#test/support/mailbox.ts";
import { startChat } from "#test/support/replies.ts";
import { SESSION_COOKIE } from "#test/support/seed-account.ts";
import { askForCode, cookiesOf, post, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { type Client, newAddress, signInByMail, visit, visitor } from "#test/support/worker.ts";

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

describe("the session's cookie", () => {
  it("is out of scripts' and other sites' reach, and goes by a plain name on http://localhost", async () => {
    const [browser, email] = [visitor(), newAddress()];
    const body = { email, code: await askForCode(browser, email) };
    const response = await visit("/api/auth/email/verify", post(body, cookiesOf(browser)));
    const [line, ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
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

  it("is __Host- and Secure everywhere else", async () => {
    const email = newAddress();
    const headers = { origin: "https://chat.example.com" };
    const started = await visit("https://chat.example.com/api/auth/email/start", post({ email }, headers));
    const [browser = ""] = started.headers.getSetCookie();
    expect(browser).toMatch(/^__Host-browser=.*; HttpOnly; Secure/);
    const code = (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
    const init = post({ email, code }, { ...headers, cookie: browser.split(";")[0] ?? "" });
    const response = await visit("https://chat.example.com/api/auth/email/verify", init);
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-session=.*; Secure/)]);
  });

  it("holds nothing that the database does", async () => {
    const client = await signInByMail();
    const [secret] = partsOf(client);
    const rows = await env.DB.prepare("SELECT * FROM sessions WHERE user_id = ?").bind(client.user.id).all();
    expect(rows.results).toHaveLength(1);
    expect(JSON.stringify(rows.results)).not.toContain(secret);
  });

  it("is new with every sign-in, and the one before opens nothing then", async () => {
    const client = await signInByMail();
    const before = cookieOf(client);
    await signInByMail(client, client.email);
    expect(cookieOf(client)).not.toBe(before);
    travel(6 * MINUTE);
    expect((await sessionOf(before)).userId).toBeNull();
  });
});

describe("a tampered cookie", () => {
  it("counts as none and is cleared, whatever part was changed", async () => {
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

  it("signed with another secret counts as none", async () => {
    const client = await signInByMail();
    expect((await sessionOf(cookieOf(client))).userId).toBe(client.user.id);
    const init = { headers: { cookie: `${SESSION_COOKIE}=${cookieOf(client)}` } };
    const response = await visitWith({ SESSION_SECRET: "another-secret-of-more-than-32-characters" }, "/api/auth/session", init);
    expect(await response.json()).toMatchObject({ user: null });
  });

  it("opens nothing that needs a session", async () => {
    const response = await visit("/api/user", { headers: { cookie: `${SESSION_COOKIE}=forged.a.b.c` } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("is not met with a short secret: the deployment says what it lacks", async () => {
    const init = { headers: { cookie: `${SESSION_COOKIE}=a.b.c.d` } };
    const response = await visitWith({ SESSION_SECRET: "short" }, "/api/auth/session", init);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining("SESSION_SECRET") });
  });
});

describe("renewing", () => {
  it("asks no row for five minutes, then signs the token again", async () => {
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

  it("writes the row at most hourly", async () => {
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

  it("ends after 30 days without use", async () => {
    const client = await signInByMail();
    travel(30 * DAY + MINUTE);
    expect(await sessionOf(cookieOf(client))).toMatchObject({ userId: null, isCleared: true });
  });

  it("goes on with use, but ends after 90 days", async () => {
    const client = await signInByMail();
    for (let day = 0; day < 80; day += 20) {
      travel(20 * DAY);
      expect((await client.take(getSession, {})).user?.id).toBe(client.user.id);
    }
    travel(10 * DAY + MINUTE);
    expect((await client.take(getSession, {})).user).toBeNull();
    expect(client.cookies.has(SESSION_COOKIE)).toBe(false);
  });
});

describe("signing out", () => {
  it("ends this session and leaves the others", async () => {
    const here = await signInByMail();
    const there = await signInByMail(visitor(), here.email);
    const cookie = cookieOf(here);
    await here.take(signOut, { body: {} });
    expect(here.cookies.has(SESSION_COOKIE)).toBe(false);
    travel(6 * MINUTE);
    expect(await sessionOf(cookie)).toMatchObject({ userId: null, isCleared: true });
    expect((await there.take(getSession, {})).user?.id).toBe(here.user.id);
  });

  it("ends all sessions where asked to, within five minutes", async () => {
    const here = await signInByMail();
    const there = await signInByMail(visitor(), here.email);
    const stranger = await signInByMail();
    await here.take(signOut, { body: { everywhere: true } });
    travel(6 * MINUTE);
    expect((await there.take(getSession, {})).user).toBeNull();
    expect((await stranger.take(getSession, {})).user?.id).toBe(stranger.user.id);
  });

  it("holds at once for what changes something", async () => {
    const here = await signInByMail();
    const there = await signInByMail(visitor(), here.email);
    await here.take(signOut, { body: { everywhere: true } });
    expect(await there.call(updateUser, { body: { display_name: "Still here" } })).toMatchObject({ ok: false, status: 401 });
  });

  it("holds at once for what stays open", async () => {
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

  it("closes this session's sockets at once and leaves another's", async () => {
    const here = await signInByMail();
    const there = await signInByMail(visitor(), here.email);
    const [closedHere, closedThere] = [await openSocket(here), await openSocket(there)];
    await here.take(signOut, { body: {} });
    await until("the socket's end", () => closedHere.length > 0);
    expect([closedHere, closedThere]).toEqual([[4001], []]);
    await there.take(signOut, { body: { everywhere: true } });
    await until("the other socket's end", () => closedThere.length > 0);
  });

  it("closes the sockets of a guest's session that became an account's, which stayed open till then", async () => {
    const client = visitor();
    await startChat(client, "say hi", "openai/gpt-5-nano");
    const closed = await openSocket(client);
    await signInByMail(client);
    expect(closed).toEqual([]);
    await client.take(signOut, { body: {} });
    await until("the socket's end", () => closed.length > 0);
    expect(closed).toEqual([4001]);
  });

  it("of one account by signing in to another closes the first one's sockets", async () => {
    const client = await signInByMail();
    const closed = await openSocket(client);
    await signInByMail(client, newAddress());
    await until("the socket's end", () => closed.length > 0);
    expect(closed).toEqual([4001]);
  });

  it("needs a session, and takes no GET", async () => {
    expect(await visitor().call(signOut, { body: {} })).toMatchObject({ ok: false, status: 401 });
    const client = await signInByMail();
    const response = await client.fetch("/api/auth/signout");
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect((await client.take(getUser, {})).user.id).toBe(client.user.id);
  });
});
