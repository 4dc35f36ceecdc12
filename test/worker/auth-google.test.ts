import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkFreshSignIn, getSession, signInByLink, startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import { endLinkedSignIn, listLinkedSignIns } from "#shared/contracts/account/linked-sign-ins.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { createInvite } from "#shared/contracts/account/invites.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import type { SIGN_IN_FAILURES } from "#shared/sign-in/sign-in-failures.ts";
import { alertsTo, mailsTo, newestMail } from "#test/support/mailbox.ts";
import { askForCode, ageSignIn, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { type Client, ORIGIN, newAddress, refusal, signIn, visit, visitor } from "#test/support/worker.ts";

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

/** The kinds of the security events that are noted from now on. */
function noted(): string[] {
  const kinds: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void kinds.push(/"kind":"([\w-]+)"/.exec(line)?.[1] ?? line));
  return kinds;
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

it("signing in with Google makes an account on first use, returns to where the person was, and finds the account again", async () => {
  const email = newAddress();
  const client = visitor();
  const first = await arrive(client, await consent(await start(client), email, { email, name: "Ada Byron" }));
  expect(first).toMatchObject({ status: 303, to: "/c/here?x=1", hasTransaction: false });
  expect(first.user).toMatchObject({ email, display_name: "Ada Byron", anonymous: false, credits: 5 });
  const again = visitor();
  const second = await arrive(again, await consent(await start(again), email));
  expect(second.user?.id).toBe(first.user?.id);
});

it("signing in with Google opens no account that is blocked, and says so", async () => {
  const person = await signIn();
  await env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?").bind(new Date().toISOString(), person.user.id).run();
  const client = visitor();
  expect(await arrive(client, await consent(await start(client), person.email))).toEqual(backAtLogin("blocked"));
});

it("signing in with Google shows a failure on the page that it was tried on, where that has the form, and takes no other site for a page", async () => {
  const client = visitor();
  const back = await consent(await start(client, { failure: "page" }), newAddress(), { decision: "deny" });
  expect(await arrive(client, back)).toMatchObject({ status: 303, to: "/c/here?x=1&auth_error=cancelled", user: null });
  const other = visitor();
  const away = await consent(await start(other, { failure: "page", returnUrl: "//evil.example/" }), newAddress(), {
    decision: "deny",
  });
  expect(await arrive(other, away)).toMatchObject({ status: 303, to: "/?auth_error=cancelled" });
});

it("signing in with Google asks by code with PKCE, state and nonce, and for no more than who it is", async () => {
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
    claims: '{"id_token":{"auth_time":{"essential":true}}}',
  });
});

it("signing in with Google opens the account that the same proven address already has", async () => {
  const { user, email } = await signIn();
  const client = visitor();
  expect((await arrive(client, await consent(await start(client), email))).user?.id).toBe(user.id);
});

it("signing in with Google tells an account's owner by mail that it was linked, once, and nobody of an account that it opens itself", async () => {
  const { email } = await signIn();
  for (const client of [visitor(), visitor()]) await arrive(client, await consent(await start(client), email));
  // Each was a new browser besides.
  const mails = await until("the mails", async () => {
    const found = await alertsTo(env.MAILBOX_SIMULATOR, email);
    return found.length >= 3 ? found : null;
  });
  const linked = mails.filter(({ subject }) => subject === "A Google sign-in was added to your Polylogue account");
  expect([mails.length, linked.length]).toEqual([3, 1]);
  expect(linked[0]?.text).toContain(`with Google as ${email}`);
  const [newcomer, client] = [newAddress(), visitor()];
  await arrive(client, await consent(await start(client), newcomer));
  expect(await mailsTo(env.MAILBOX_SIMULATOR, newcomer)).toEqual([]);
});

it("signing in with Google opens the account it is linked to even where Google names another address by now", async () => {
  const email = newAddress();
  const client = visitor();
  const { user } = await arrive(client, await consent(await start(client), email));
  const moved = newAddress();
  await env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(moved, user?.id).run();
  const later = visitor();
  expect((await arrive(later, await consent(await start(later), email))).user).toMatchObject({ id: user?.id, email: moved });
});

it.each(["//evil.example", "https://evil.example/", "/\t/evil.example", "/\\evil.example", "javascript:alert(1)", "/auth/login"])(
  "signing in with Google returns home instead of to %j",
  async (returnUrl) => {
    const client = visitor();
    const result = await arrive(client, await consent(await start(client, { returnUrl }), newAddress()));
    expect(result).toMatchObject({ status: 303, to: "/" });
    expect(result.user).not.toBeNull();
  },
);

it("an address that no cookie holds is no way back, and keeps nobody from signing in", async () => {
  const client = visitor();
  const consentPage = await start(client, { returnUrl: `/new?prompt=${"x".repeat(6_000)}` });
  expect(`${TRANSACTION_COOKIE}=${client.cookies.get(TRANSACTION_COOKIE)}`.length).toBeLessThan(4_096);
  const email = newAddress();
  expect(await arrive(client, await consent(consentPage, email))).toMatchObject({ status: 303, to: "/", user: { email } });
});

/** Google runs no mailbox there: what it says of such an address may be long past. */
const EXTERNAL_ADDRESS = { hosted: "" };

const askedToConfirm = (email: string) => ({
  status: 303,
  to: `/auth/login?${new URLSearchParams({ returnUrl: "/c/here?x=1" }).toString()}#${new URLSearchParams({ confirm: email }).toString()}`,
  user: null,
  hasTransaction: false,
});

/** Signs in with Google as an address that it does not speak for, and proves that by a code in this browser, on the page that asks for it. */
async function confirmByCode(client: Client, email: string) {
  await arrive(client, await consent(await start(client), email, EXTERNAL_ADDRESS));
  const code = await askForCode(client, email);
  return (await client.take(verifyEmailSignIn, { body: { email, code, joins_google: true } })).user;
}

/** What stands behind the `#` of the newest mail's link. */
async function newestFragment(email: string): Promise<URLSearchParams> {
  const mail = await newestMail(env.MAILBOX_SIMULATOR, email);
  return new URLSearchParams(new URL(/https?:\S+/.exec(mail?.text ?? "")?.[0] ?? "http://none").hash.slice(1));
}

it.each([
  ["none", ""],
  ["another's", "elsewhere.example"],
  ["a part of it", "ample.com"],
])("an address that Google does not speak for (organisation's domain: %s) enters no account and opens none", async (_, hosted) => {
  const [{ email }, newcomer] = [await signIn(), newAddress()];
  for (const address of [email, newcomer]) {
    const client = visitor();
    expect(await arrive(client, await consent(await start(client), address, { hosted }))).toEqual(askedToConfirm(address));
  }
  expect(await env.DB.prepare("SELECT 1 FROM users WHERE email = ?").bind(newcomer).first()).toBeNull();
  const linked = "SELECT 1 FROM identities JOIN users ON users.id = user_id WHERE users.email = ?";
  expect(await env.DB.prepare(linked).bind(email).first()).toBeNull();
});

it("an address that Google does not speak for enters the account once a mailed code has proven it, is announced, and then needs no code", async () => {
  const { user, email } = await signIn();
  const client = visitor();
  expect((await confirmByCode(client, email)).id).toBe(user.id);
  const { linked } = await client.take(listLinkedSignIns, {});
  expect(linked).toEqual([{ id: expect.any(String), provider: "google", email, linked_at: expect.any(String) }]);
  await until("the mail", async () =>
    (await mailsTo(env.MAILBOX_SIMULATOR, email)).some(({ subject }) => subject === "A Google sign-in was added to your Polylogue account"),
  );
  const later = visitor();
  const again = await arrive(later, await consent(await start(later), email, EXTERNAL_ADDRESS));
  expect(again).toMatchObject({ to: "/c/here?x=1", user: { id: user.id } });
});

it("an address that Google does not speak for opens an account with Google's name, by the link of a mail that was asked for on that page too", async () => {
  const [client, email] = [visitor(), newAddress()];
  await arrive(client, await consent(await start(client), email, { ...EXTERNAL_ADDRESS, name: "Ada Byron" }));
  await client.take(startEmailSignIn, { body: { email, joins_google: true } });
  const link = await newestFragment(email);
  expect(link.get("join")).toBe("google");
  const { user } = await client.take(signInByLink, { body: { token: link.get("token") ?? "", joins_google: true } });
  expect(user).toMatchObject({ email, display_name: "Ada Byron" });
  expect((await client.take(listLinkedSignIns, {})).linked).toHaveLength(1);
});

it("an address that Google does not speak for is linked by nobody who signs in there on another page, by code or link, and is forgotten with that", async () => {
  const { user, email } = await signIn();
  const shared = visitor();
  const left = async () => {
    await arrive(shared, await consent(await start(shared), email, EXTERNAL_ADDRESS));
    expect(shared.cookies.has("polylogue-unproven")).toBe(true);
  };
  const isUnlinked = async () => {
    expect((await shared.take(getSession, {})).user?.id).toBe(user.id);
    expect((await shared.take(listLinkedSignIns, {})).linked).toEqual([]);
    expect(shared.cookies.has("polylogue-unproven")).toBe(false);
  };
  await left();
  await shared.take(verifyEmailSignIn, { body: { email, code: await askForCode(shared, email) } });
  await isUnlinked();
  await left();
  await askForCode(shared, email);
  const link = await newestFragment(email);
  expect(link.has("join")).toBe(false);
  await shared.take(signInByLink, { body: { token: link.get("token") ?? "" } });
  await isUnlinked();
});

it("an address that Google does not speak for is linked by no code of another browser, for another address, or with a changed cookie", async () => {
  const { email } = await signIn();
  const [began, elsewhere] = [visitor(), visitor()];
  await arrive(began, await consent(await start(began), email, EXTERNAL_ADDRESS));
  const body = { email, code: await askForCode(elsewhere, email), joins_google: true };
  await elsewhere.take(verifyEmailSignIn, { body });
  expect((await elsewhere.take(listLinkedSignIns, {})).linked).toEqual([]);
  const another = newAddress();
  const given = { email: another, code: await askForCode(began, another), joins_google: true };
  await began.take(verifyEmailSignIn, { body: given });
  expect((await began.take(listLinkedSignIns, {})).linked).toEqual([]);
  const forged = visitor();
  await arrive(forged, await consent(await start(forged), email, EXTERNAL_ADDRESS));
  forged.cookies.set("polylogue-unproven", `${forged.cookies.get("polylogue-unproven")}x`);
  await forged.take(verifyEmailSignIn, { body: { email, code: await askForCode(forged, email), joins_google: true } });
  expect((await forged.take(listLinkedSignIns, {})).linked).toEqual([]);
});

it("an address that Google does not speak for opens no account that it was linked to before its address was kept, until a code of that account has proven it", async () => {
  const { user, email } = await signIn();
  const client = visitor();
  await confirmByCode(client, email);
  await env.DB.prepare("UPDATE identities SET email = NULL WHERE user_id = ?").bind(user.id).run();
  const thief = visitor();
  expect(await arrive(thief, await consent(await start(thief), email, EXTERNAL_ADDRESS))).toEqual(askedToConfirm(email));
  // Nor by an address that is its own by now.
  await env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(`other-${email}`, user.id).run();
  const moved = visitor();
  expect(await arrive(moved, await consent(await start(moved), email))).toEqual(askedToConfirm(`other-${email}`));
  const code = await askForCode(moved, `other-${email}`);
  expect((await moved.take(verifyEmailSignIn, { body: { email: `other-${email}`, code, joins_google: true } })).user.id).toBe(user.id);
  const later = visitor();
  expect((await arrive(later, await consent(await start(later), email, EXTERNAL_ADDRESS))).user?.id).toBe(user.id);
});

it("an address that is no longer the account's own gives it nothing that was shared with that address", async () => {
  const { user, email } = await signIn();
  await confirmByCode(visitor(), email);
  await env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(`other-${email}`, user.id).run();
  const owner = await signIn();
  const { chat } = await owner.take(createChat, { body: { title: "For whoever has that mailbox now" } });
  await owner.take(shareChat, { params: { id: chat.id }, body: { type: "user", email, permissionLevel: "viewer", invite: true } });
  const later = visitor();
  expect((await arrive(later, await consent(await start(later), email, EXTERNAL_ADDRESS))).user?.id).toBe(user.id);
  expect(await later.call(listMessages, { params: { id: chat.id } })).toMatchObject({ status: 404 });
});

it("an address that Google does not speak for is any but gmail.com and the organisation's own", async () => {
  const gmail = `${crypto.randomUUID()}@gmail.com`;
  for (const [email, query] of [
    [gmail, {}],
    [newAddress(), { hosted: "Example.com" }],
  ] satisfies [string, Record<string, string>][]) {
    const client = visitor();
    expect((await arrive(client, await consent(await start(client), email, query))).user).toMatchObject({ email });
  }
});

it("a linked sign-in is its person's alone to end, after a fresh sign-in, and signs out everywhere else", async () => {
  const [here, stranger] = [await signIn(), await signIn()];
  const there = visitor();
  await confirmByCode(there, here.email);
  const [link] = (await here.take(listLinkedSignIns, {})).linked;
  const params = { id: link?.id ?? "" };
  expect(await stranger.call(endLinkedSignIn, { params })).toMatchObject({ status: 404 });
  expect((await stranger.take(listLinkedSignIns, {})).linked).toEqual([]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 });
  expect(await here.call(endLinkedSignIn, { params })).toMatchObject({ status: 403, error: { code: "FRESH_SIGN_IN_REQUIRED" } });
  vi.useRealTimers();
  await here.take(endLinkedSignIn, { params });
  expect((await here.take(listLinkedSignIns, {})).linked).toEqual([]);
  await until("the mail about its end", async () =>
    (await alertsTo(env.MAILBOX_SIMULATOR, here.email)).some(({ text }) => text.includes(`${here.email} no longer opens yours`)),
  );
  expect(await there.call(listLinkedSignIns, {})).toMatchObject({ status: 401 });
  const later = visitor();
  expect(await arrive(later, await consent(await start(later), here.email, EXTERNAL_ADDRESS))).toEqual(askedToConfirm(here.email));
  expect(await here.call(endLinkedSignIn, { params })).toMatchObject({ status: 404 });
});

it("a linked sign-in goes by the address that Google names by now", async () => {
  const email = newAddress();
  const client = visitor();
  await arrive(client, await consent(await start(client), email));
  await env.DB.prepare("UPDATE identities SET email = NULL WHERE email = ?").bind(email).run();
  expect((await client.take(listLinkedSignIns, {})).linked[0]?.email).toBeNull();
  const later = visitor();
  await arrive(later, await consent(await start(later), email));
  expect((await later.take(listLinkedSignIns, {})).linked[0]?.email).toBe(email);
});

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
])(
  "a sign-in with Google that fails by %s goes back to the login page and keeps where to return, is a security event, and leaves nothing of the person in the log",
  async (fault) => {
    const lines: string[] = [];
    vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
    const [client, email] = [visitor(), newAddress()];
    const kinds = noted();
    const asked = await start(client);
    expect(await arrive(client, await consent(asked, email, { fault, email, name: "Canaria Petrel" }))).toEqual(backAtLogin("failed"));
    expect(kinds).toEqual(["wrong-code"]);
    expect(lines).toEqual([expect.stringContaining("signing in with Google failed")]);
    for (const own of [email, "Canaria", asked.searchParams.get("nonce") ?? ""]) expect(lines[0]).not.toContain(own);
  },
);

it("a sign-in with Google that fails by an address that Google has not verified opens nothing, its owner's account least of all", async () => {
  const { email } = await signIn();
  const client = visitor();
  const back = await consent(await start(client), email, { fault: "unverified-email" });
  const kinds = noted();
  expect(await arrive(client, back)).toEqual(backAtLogin("unverified"));
  expect(kinds).toEqual(["wrong-code"]);
});

it.each(["token-500", "token-html"])("a sign-in with Google that fails by %s says that Google cannot be reached", async (fault) => {
  const client = visitor();
  expect(await arrive(client, await consent(await start(client), newAddress(), { fault }))).toEqual(backAtLogin("unreachable"));
});

it("a sign-in with Google that fails by keys that cannot be read says that Google cannot be reached", async () => {
  const client = visitor();
  const back = new URL(await consent(await start(client), newAddress()));
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  // The keys of the usual address are known from earlier sign-ins.
  const changes = { GOOGLE_JWKS_URL: `${env.GOOGLE_SIMULATOR}/oauth2/v3/certs?fault=certs-500` };
  const response = await visitWith(changes, back.pathname + back.search, { headers: { cookie } });
  expect(response.headers.get("location")).toBe(backAtLogin("unreachable").to);
});

it("a sign-in with Google that fails by an answer that never comes is given up after ten seconds", async () => {
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

it("a sign-in with Google that fails by a cancel says so, and is nobody's try", async () => {
  const kinds = noted();
  const client = visitor();
  expect(await arrive(client, await consent(await start(client), newAddress(), { decision: "deny" }))).toEqual(backAtLogin("cancelled"));
  expect(kinds).toEqual([]);
});

it("a sign-in with Google that fails where it is not set up says so", async () => {
  const response = await visitWith({ GOOGLE_CLIENT_ID: undefined }, "/api/auth/google/start?returnUrl=/c/1");
  expect(response.headers.get("location")).toBe(backAtLogin("unconfigured", "/c/1").to);
});

it("a sign-in with Google that fails where signing up needs an invite says so", async () => {
  const client = visitor();
  const back = new URL(await consent(await start(client), newAddress()));
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await visitWith({ SIGNUP: "invite" }, back.pathname + back.search, { headers: { cookie } });
  expect(response.headers.get("location")).toBe(backAtLogin("invite").to);
  expect(response.headers.getSetCookie().filter((line) => line.startsWith("polylogue-session="))).toEqual([]);
});

it("a sign-in with Google that fails keeps the code of an invite on the way to Google and back", async () => {
  const { invite } = await (await signIn()).take(createInvite, { body: {} });
  const [client, email] = [visitor(), newAddress()];
  const back = new URL(await consent(await start(client, { invite: showInviteCode(invite.code) }), email));
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await visitWith({ SIGNUP: "invite" }, back.pathname + back.search, { headers: { cookie } });
  expect(response.headers.get("location")).toBe("/c/here?x=1");
  const use = "SELECT email FROM invite_uses JOIN users ON users.id = user_id WHERE invite_id = ?";
  expect(await env.DB.prepare(use).bind(invite.id).first<string>("email")).toBe(email);
});

it("the return from Google opens nothing in a browser that did not start it, which is a security event", async () => {
  const kinds = noted();
  const attacker = visitor();
  const back = await consent(await start(attacker), newAddress());
  expect(await arrive(visitor(), back)).toEqual(backAtLogin("expired", "/"));
  const victim = visitor();
  await start(victim);
  expect(await arrive(victim, back)).toEqual(backAtLogin("expired", "/"));
  expect(kinds).toEqual(["wrong-code", "wrong-code"]);
});

it("the return from Google works once", async () => {
  const client = visitor();
  const back = await consent(await start(client), newAddress());
  await arrive(client, back);
  client.cookies.clear();
  expect(await arrive(client, back)).toEqual(backAtLogin("expired", "/"));
});

it("the return from Google is refused with a changed state, without one, and with a changed cookie", async () => {
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

it("the return from Google is refused after ten minutes", async () => {
  const client = visitor();
  const back = await consent(await start(client), newAddress());
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
  expect(await arrive(client, back)).toEqual(backAtLogin("expired", "/"));
});

it("the return from Google survives whatever is sent to it", async () => {
  for (const query of ["", "?code=", "?state=x", "?error=%00", "?code=a&code=b&state=c", `?code=${"x".repeat(5000)}`]) {
    const response = await visit(`/api/auth/google/callback${query}`);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toMatch(/^\/auth\/login\?auth_error=/);
  }
});

describe("who proves again with Google who they are", () => {
  /** Someone whose account Google opens, who signed in there two hours ago. */
  async function arrived(query: Record<string, string> = {}) {
    const [client, email] = [visitor(), newAddress()];
    const { user } = await arrive(client, await consent(await start(client), email, query));
    if (!user) throw new Error("Nobody signed in.");
    return { ...client, user, email };
  }

  /** Proves it in a window of its own, and answers what that says. */
  async function prove(client: Client, email: string, query: Record<string, string> = {}) {
    const page = await start(client, { again: "1" });
    const response = await client.fetch(await consent(page, email, query));
    return { page, status: response.status, said: await response.text(), policy: response.headers.get("content-security-policy") };
  }

  it("who proves again with Google who they are has Google ask anew, is fresh by the time that Google names, and has a new session", async () => {
    const person = await arrived();
    await ageSignIn(person, 120);
    expect(refusal(await person.call(checkFreshSignIn, {}))).toBe("FRESH_SIGN_IN_REQUIRED");
    const before = person.cookies.get("polylogue-session");
    const { page, status, said, policy } = await prove(person, person.email);
    expect(Object.fromEntries(page.searchParams)).toMatchObject({ max_age: "0", login_hint: person.email });
    expect([status, said]).toEqual([200, expect.stringContaining('.postMessage({"failure":null})')]);
    expect(policy).toMatch(/script-src 'sha256-/);
    await person.take(checkFreshSignIn, {});
    expect(person.cookies.get("polylogue-session")).not.toBe(before);
    expect((await person.take(getSession, {})).user?.id).toBe(person.user.id);
  });

  it.each(["no-auth-time", "old-auth-time"])(
    "who proves again with Google who they are proves nothing by a press alone: %s",
    async (fault) => {
      const person = await arrived();
      await ageSignIn(person, 120);
      const kinds = noted();
      expect((await prove(person, person.email, { fault })).said).toContain("Google did not say that you signed in there just now.");
      expect(kinds).toEqual(["refused"]);
      expect(refusal(await person.call(checkFreshSignIn, {}))).toBe("FRESH_SIGN_IN_REQUIRED");
      // Nor does signing in so begin a session that counts as fresh.
      const other = await arrived({ fault });
      expect(refusal(await other.call(checkFreshSignIn, {}))).toBe("FRESH_SIGN_IN_REQUIRED");
    },
  );

  it("who proves again with Google who they are is neither another one nor somebody else's account at Google", async () => {
    const [person, stranger] = [await arrived(), await arrived()];
    await ageSignIn(person, 120);
    const kinds = noted();
    for (const email of [stranger.email, newAddress()])
      expect((await prove(person, email)).said).toContain("That Google account does not open this account.");
    expect(kinds).toEqual(["refused", "refused"]);
    expect((await person.take(getSession, {})).user?.id).toBe(person.user.id);
    expect(refusal(await person.call(checkFreshSignIn, {}))).toBe("FRESH_SIGN_IN_REQUIRED");
    expect((await visitor().fetch("/api/auth/google/start?again=1")).status).toBe(401);
  });
});
