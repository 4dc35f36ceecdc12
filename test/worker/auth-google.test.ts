import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { createInvite } from "#shared/contracts/account/invites.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import type { SIGN_IN_FAILURES } from "#shared/sign-in/sign-in-failures.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { type Client, ORIGIN, newAddress, signIn, visit, visitor } from "#test/support/worker.ts";

const TRANSACTION_COOKIE = "polylogue-google";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Starts a sign-in and answers where the browser is sent. */
async function start(client: Client, query: Record<string, string> = {}): Promise<URL> {
  const response = await client.fetch(`/api/auth/google/start?${new URLSearchParams({ returnUrl: "/c/here?x=1", ...query }).toString()}`);
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
}

/** Consents at Google as `email`, and answers the address Google sends the browser back to; a `fault` holds for this sign-in alone. */
async function consent(consentPage: URL, email: string, query: Record<string, string> = {}): Promise<string> {
  const url = new URL(consentPage);
  for (const [name, value] of Object.entries({ login_hint: email, ...query })) url.searchParams.set(name, value);
  const response = await fetch(url, { redirect: "manual" });
  return response.headers.get("location") ?? "";
}

/** What became of it: the status, where to, and whose session the browser has now. */
async function arrive(client: Client, address: string) {
  const response = await client.fetch(address);
  const { user } = await client.take(getSession, {});
  return { status: response.status, to: response.headers.get("location"), user, hasTransaction: client.cookies.has(TRANSACTION_COOKIE) };
}

function backAtLogin(failure: keyof typeof SIGN_IN_FAILURES, returnUrl = "/c/here?x=1") {
  const to = `/auth/login?${new URLSearchParams({ auth_error: failure, returnUrl }).toString()}`;
  return { status: 303, to, user: null, hasTransaction: false };
}

describe("signing in with Google", () => {
  it("makes an account on first use, returns to where the person was, and finds the account again", async () => {
    const email = newAddress();
    const client = visitor();
    const first = await arrive(client, await consent(await start(client), email, { email, name: "Ada Byron" }));
    expect(first).toMatchObject({ status: 303, to: "/c/here?x=1", hasTransaction: false });
    expect(first.user).toMatchObject({ email, display_name: "Ada Byron", anonymous: false, credits: 5 });
    const again = visitor();
    const second = await arrive(again, await consent(await start(again), email));
    expect(second.user?.id).toBe(first.user?.id);
  });

  it("opens no account that is blocked, and says so", async () => {
    const person = await signIn();
    await env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?").bind(new Date().toISOString(), person.user.id).run();
    const client = visitor();
    expect(await arrive(client, await consent(await start(client), person.email))).toEqual(backAtLogin("blocked"));
  });

  it("shows a failure on the page that it was tried on, where that has the form, and takes no other site for a page", async () => {
    const client = visitor();
    const back = await consent(await start(client, { failure: "page" }), newAddress(), { decision: "deny" });
    expect(await arrive(client, back)).toMatchObject({ status: 303, to: "/c/here?x=1&auth_error=cancelled", user: null });
    const other = visitor();
    const away = await consent(await start(other, { failure: "page", returnUrl: "//evil.example/" }), newAddress(), {
      decision: "deny",
    });
    expect(await arrive(other, away)).toMatchObject({ status: 303, to: "/?auth_error=cancelled" });
  });

  it("asks by code with PKCE, state and nonce, and for no more than who it is", async () => {
    const { searchParams, origin } = await start(visitor());
    expect(origin).toBe(env.GOOGLE_SIMULATOR);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: env.GOOGLE_CLIENT_ID,
      redirect_uri: `${ORIGIN}/api/auth/google/callback`,
      response_type: "code",
      scope: "openid email profile",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
      prompt: "select_account",
    });
  });

  it("opens the account that the same proven address already has", async () => {
    const { user, email } = await signIn();
    const client = visitor();
    expect((await arrive(client, await consent(await start(client), email))).user?.id).toBe(user.id);
  });

  it("opens the account it is linked to even where Google names another address by now", async () => {
    const email = newAddress();
    const client = visitor();
    const { user } = await arrive(client, await consent(await start(client), email));
    const moved = newAddress();
    await env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(moved, user?.id).run();
    const later = visitor();
    expect((await arrive(later, await consent(await start(later), email))).user).toMatchObject({ id: user?.id, email: moved });
  });

  it.each(["//evil.example", "https://evil.example/", "/\t/evil.example", "/\\evil.example", "javascript:alert(1)", "/auth/login"])(
    "returns home instead of to %j",
    async (returnUrl) => {
      const client = visitor();
      const result = await arrive(client, await consent(await start(client, { returnUrl }), newAddress()));
      expect(result).toMatchObject({ status: 303, to: "/" });
      expect(result.user).not.toBeNull();
    },
  );
});

describe("a sign-in with Google that fails", () => {
  it.each([
    "wrong-aud",
    "wrong-iss",
    "expired",
    "bad-nonce",
    "no-nonce",
    "unknown-kid",
    "bad-signature",
    "alg-none",
    "alg-hs256",
    "no-email",
    "no-id-token",
    "invalid-grant",
    "invalid-client",
  ])("by %s goes back to the login page and keeps where to return", async (fault) => {
    const client = visitor();
    expect(await arrive(client, await consent(await start(client), newAddress(), { fault }))).toEqual(backAtLogin("failed"));
  });

  it("by an address that Google has not verified opens nothing, its owner's account least of all", async () => {
    const { email } = await signIn();
    const client = visitor();
    const back = await consent(await start(client), email, { fault: "unverified-email" });
    expect(await arrive(client, back)).toEqual(backAtLogin("unverified"));
  });

  it.each(["token-500", "token-html"])("by %s says that Google cannot be reached", async (fault) => {
    const client = visitor();
    expect(await arrive(client, await consent(await start(client), newAddress(), { fault }))).toEqual(backAtLogin("unreachable"));
  });

  it("by keys that cannot be read says that Google cannot be reached", async () => {
    const client = visitor();
    const back = new URL(await consent(await start(client), newAddress()));
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    // The keys of the usual address are known from earlier sign-ins.
    const changes = { GOOGLE_JWKS_URL: `${env.GOOGLE_SIMULATOR}/oauth2/v3/certs?fault=certs-500` };
    const response = await visitWith(changes, back.pathname + back.search, { headers: { cookie } });
    expect(response.headers.get("location")).toBe(backAtLogin("unreachable").to);
  });

  it("by an answer that never comes is given up after ten seconds", async () => {
    const client = visitor();
    const back = await consent(await start(client), newAddress(), { fault: "token-hang" });
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limits: number[] = [];
    vi.spyOn(AbortSignal, "timeout").mockImplementation((limit) => {
      limits.push(limit);
      return timeout(50);
    });
    expect(await arrive(client, back)).toEqual(backAtLogin("unreachable"));
    // Chats of earlier tests may have set others meanwhile.
    expect(limits).toContain(10_000);
  });

  it("by a cancel says so", async () => {
    const client = visitor();
    expect(await arrive(client, await consent(await start(client), newAddress(), { decision: "deny" }))).toEqual(backAtLogin("cancelled"));
  });

  it("where it is not set up says so", async () => {
    const response = await visitWith({ GOOGLE_CLIENT_ID: undefined }, "/api/auth/google/start?returnUrl=/c/1");
    expect(response.headers.get("location")).toBe(backAtLogin("unconfigured", "/c/1").to);
  });

  it("where signing up needs an invite says so", async () => {
    const client = visitor();
    const back = new URL(await consent(await start(client), newAddress()));
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await visitWith({ SIGNUP: "invite" }, back.pathname + back.search, { headers: { cookie } });
    expect(response.headers.get("location")).toBe(backAtLogin("invite").to);
    expect(response.headers.getSetCookie().filter((line) => line.startsWith("polylogue-session="))).toEqual([]);
  });

  it("keeps the code of an invite on the way to Google and back", async () => {
    const { invite } = await (await signIn()).take(createInvite, { body: {} });
    const [client, email] = [visitor(), newAddress()];
    const back = new URL(await consent(await start(client, { invite: showInviteCode(invite.code) }), email));
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await visitWith({ SIGNUP: "invite" }, back.pathname + back.search, { headers: { cookie } });
    expect(response.headers.get("location")).toBe("/c/here?x=1");
    const use = "SELECT email FROM invite_uses JOIN users ON users.id = user_id WHERE invite_id = ?";
    expect(await env.DB.prepare(use).bind(invite.id).first<string>("email")).toBe(email);
  });
});

describe("the return from Google", () => {
  it("opens nothing in a browser that did not start it", async () => {
    const attacker = visitor();
    const back = await consent(await start(attacker), newAddress());
    expect(await arrive(visitor(), back)).toEqual(backAtLogin("expired", "/"));
    const victim = visitor();
    await start(victim);
    expect(await arrive(victim, back)).toEqual(backAtLogin("expired", "/"));
  });

  it("works once", async () => {
    const client = visitor();
    const back = await consent(await start(client), newAddress());
    await arrive(client, back);
    client.cookies.clear();
    expect(await arrive(client, back)).toEqual(backAtLogin("expired", "/"));
  });

  it("is refused with a changed state, without one, and with a changed cookie", async () => {
    for (const state of ["other", ""]) {
      const client = visitor();
      const back = new URL(await consent(await start(client), newAddress()));
      back.searchParams.set("state", state);
      expect(await arrive(client, back.href)).toEqual(backAtLogin("expired", "/"));
    }
    const client = visitor();
    const back = await consent(await start(client), newAddress());
    client.cookies.set(TRANSACTION_COOKIE, `${client.cookies.get(TRANSACTION_COOKIE)}x`);
    expect(await arrive(client, back)).toEqual(backAtLogin("expired", "/"));
  });

  it("is refused after ten minutes", async () => {
    const client = visitor();
    const back = await consent(await start(client), newAddress());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
    expect(await arrive(client, back)).toEqual(backAtLogin("expired", "/"));
  });

  it("survives whatever is sent to it", async () => {
    for (const query of ["", "?code=", "?state=x", "?error=%00", "?code=a&code=b&state=c", `?code=${"x".repeat(5000)}`]) {
      const response = await visit(`/api/auth/google/callback${query}`);
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toMatch(/^\/auth\/login\?auth_error=/);
    }
  });
});
