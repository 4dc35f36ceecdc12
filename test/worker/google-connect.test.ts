import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { disconnectGoogle, getGoogleStatus } from "#shared/contracts/outbound/google.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { beginGoogle, changeGrant, connectGoogle, decideAtGoogle, grantOf } from "#test/support/google.ts";
import { openTab } from "#test/support/live-tab.ts";
import { cookiesOf, ageSignIn, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { newAddress, ORIGIN, type Person, signIn, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { googleAccess, noteGoogleRefusal } from "#worker/integrations/google/access.ts";
import { disconnectWithoutRevoking } from "#worker/integrations/google/connection.ts";
import { findToken } from "#worker/integrations/google/find-token.ts";
import { openTokens } from "#worker/integrations/google/tokens.ts";

const BASE = "https://www.googleapis.com/auth";
const SCOPES = [`${BASE}/gmail.readonly`, `${BASE}/gmail.compose`, `${BASE}/drive.readonly`];

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function rowOf({ user }: Person) {
  return env.DB.prepare("SELECT * FROM google_connections WHERE user_id = ?")
    .bind(user.id)
    .first<{ user_id: string; tokens: string; expires_at: string }>();
}

async function tokensOf(person: Person) {
  const row = await rowOf(person);
  const tokens = row && (await openTokens(env, row));
  if (!tokens) throw new Error("Nothing is connected.");
  return tokens;
}

/** Lets the access token end within the minute, as the product knows it. */
async function endSoon({ user }: Person): Promise<void> {
  const soon = new Date(Date.now() + 30_000).toISOString();
  await env.DB.prepare("UPDATE google_connections SET expires_at = ? WHERE user_id = ?").bind(soon, user.id).run();
}

/** Does something right before the next question at this path is sent. */
function meanwhile(path: string, act: () => Promise<unknown>): void {
  const send = globalThis.fetch;
  let isOver = false;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const isNext = !isOver && pathname === path;
    isOver ||= isNext;
    if (isNext) await act();
    return send(input, init);
  });
}

const DEAD = { connected: false, error: "Google no longer accepts this connection. Connect again." };

it("connecting Google asks with PKCE and a state of its own for what is switched on, in addition to what was granted before", async () => {
  const person = await signIn();
  const { origin, searchParams } = await beginGoogle(person);
  expect(origin).toBe(env.GOOGLE_SIMULATOR);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: env.GOOGLE_CLIENT_ID,
    redirect_uri: `${ORIGIN}/api/auth/gmail/callback`,
    response_type: "code",
    scope: ["openid", "email", ...SCOPES].join(" "),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    access_type: "offline",
    include_granted_scopes: "true",
    prompt: "consent",
  });
  expect((await beginGoogle(person, { features: "gmail" })).searchParams.get("scope")).toBe(
    ["openid", "email", ...SCOPES.slice(0, 2)].join(" "),
  );
});

it("connecting Google adds one feature to another, names the account it knows, and leads back to the page that began", async () => {
  const person = await signIn();
  expect(await connectGoogle(person, { features: "gmail" })).toBe("/?gmail_success=true");
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true, email: person.email, error: null, missing: ["drive"] });
  const page = await beginGoogle(person, { features: "drive", returnUrl: "/?settings=tools" });
  expect(page.searchParams.get("login_hint")).toBe(person.email);
  const back = await person.fetch(await decideAtGoogle(page, person.email));
  expect(back.headers.get("location")).toBe("/?settings=tools&gmail_success=true");
  const status = await person.take(getGoogleStatus, {});
  expect(status).toMatchObject({ connected: true, missing: [] });
  expect(status.scopes).toEqual(expect.arrayContaining(SCOPES));
});

it("connecting Google leads who is not signed in to the login page, and reveals nothing to others", async () => {
  const guest = visitor();
  const response = await guest.fetch("/api/auth/gmail/connect?returnUrl=/c/here");
  expect([response.status, response.headers.get("location")]).toEqual([303, "/auth/?returnUrl=%2Fc%2Fhere"]);
  expect(await guest.call(getGoogleStatus, {})).toMatchObject({ status: 401 });
  const away = await guest.fetch("/api/auth/gmail/connect?returnUrl=//evil.example/");
  expect(away.headers.get("location")).toBe("/auth/?returnUrl=%2F");
});

it("connecting Google needs a fresh sign-in, as what comes back is a grant of all their mail", async () => {
  const person = await signIn();
  await ageSignIn(person, 61);
  const refused = await person.fetch("/api/auth/gmail/connect", { headers: { "sec-fetch-dest": "document" } });
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
  expect(await refused.text()).toContain("sign in again first");
});

it("connecting Google is nowhere where it is not switched on, or Google is not registered, or nothing could be kept", async () => {
  const person = await signIn();
  const headers = cookiesOf(person);
  for (const changes of [{ GMAIL: undefined }, { GOOGLE_CLIENT_ID: undefined }, { CREDENTIAL_KEYS: undefined }]) {
    const status = await visitWith(changes, "/api/gmail/connection-status", { headers });
    const begun = await visitWith(changes, "/api/auth/gmail/connect", { headers });
    const session = await visitWith(changes, "/api/auth/session", { headers });
    expect([status.status, begun.headers.get("location")]).toEqual([404, "/?gmail_error=unconfigured"]);
    expect(await session.json()).toMatchObject({ features: { gmail: false, drive: false } });
  }
  const { features } = await person.take(getSession, {});
  expect(features).toMatchObject({ gmail: true, drive: true });
});

it("a return from Google connects nobody with a state that is forged, of another session, past, or used before", async () => {
  const [person, other] = [await signIn(), await signIn()];
  const expired = "/?gmail_error=expired";
  const arrive = async (who: Person, address: string) => (await who.fetch(address)).headers.get("location");

  const forged = new URL(await decideAtGoogle(await beginGoogle(person), person.email));
  forged.searchParams.set("state", "a".repeat(43));
  expect(await arrive(person, forged.href)).toBe(expired);

  const back = await decideAtGoogle(await beginGoogle(person), person.email);
  expect(await arrive(other, back)).toBe(expired);
  // Neither with the cookie that was meant for somebody else.
  other.cookies.set("polylogue-gmail", person.cookies.get("polylogue-gmail") ?? "");
  expect(await arrive(other, back)).toBe(expired);
  // Nor with another session of the same person.
  const elsewhere = await signIn(visitor(), person.email);
  elsewhere.cookies.set("polylogue-gmail", person.cookies.get("polylogue-gmail") ?? "");
  expect(await arrive(elsewhere, back)).toBe(expired);

  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
  expect(await arrive(person, back)).toBe(expired);
  vi.useRealTimers();

  const again = await decideAtGoogle(await beginGoogle(person), person.email);
  expect(await arrive(person, again)).toBe("/?gmail_success=true");
  expect(await arrive(person, again)).toBe(expired);
  expect(await other.take(getGoogleStatus, {})).toMatchObject({ connected: false, email: null });
});

it("a return from Google without the verifier of its browser gets no tokens", async () => {
  const person = await signIn();
  const page = await beginGoogle(person);
  const stolen = new URL(await decideAtGoogle(page, person.email));
  // Another connecting of the same session has another verifier; its state is known to whoever steals codes.
  const fresh = await beginGoogle(person);
  stolen.searchParams.set("state", fresh.searchParams.get("state") ?? "");
  expect((await person.fetch(stolen.href)).headers.get("location")).toBe("/?gmail_error=failed");
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: false });
});

it("a return from Google says what was declined, and keeps what is granted when a box is unticked", async () => {
  const person = await signIn();
  const declined = await decideAtGoogle(await beginGoogle(person), person.email, [["decision", "deny"]]);
  expect((await person.fetch(declined)).headers.get("location")).toBe("/?gmail_error=cancelled");
  const nothing = await decideAtGoogle(await beginGoogle(person), person.email, [["boxes", "1"]]);
  expect((await person.fetch(nothing)).headers.get("location")).toBe("/?gmail_error=no_access");
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: false });
  // What is of no use here does not stay granted.
  expect((await grantOf(person.email)).isLive).toBe(false);

  const reading = await decideAtGoogle(await beginGoogle(person), person.email, [
    ["boxes", "1"],
    ["ticked", SCOPES[0] ?? ""],
  ]);
  expect((await person.fetch(reading)).headers.get("location")).toBe("/?gmail_success=true");
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true, missing: ["gmail", "drive"] });
  expect(await googleAccess(env, person.user.id, "gmail")).toMatchObject({ email: person.email });
  expect(await googleAccess(env, person.user.id, "compose")).toBeUndefined();
  expect(await googleAccess(env, person.user.id, "drive")).toBeUndefined();
});

it("Google's tokens are renewed once for ten who ask at the same time, a minute before they end", async () => {
  const person = await signIn();
  await connectGoogle(person);
  const before = await tokensOf(person);
  expect(await googleAccess(env, person.user.id, "gmail")).toEqual({ token: before.access, email: person.email });
  await endSoon(person);
  const asked = await Promise.all(Array.from({ length: 10 }, () => googleAccess(env, person.user.id, "drive")));
  const after = await tokensOf(person);
  expect(after.access).not.toBe(before.access);
  expect(after.refresh).toBe(before.refresh);
  expect(new Set(asked.map((access) => access?.token))).toEqual(new Set([after.access]));
  expect((await grantOf(person.email)).refreshes).toBe(1);
  // One that Google refused is renewed too, and its own renewal alone.
  const renewed = await googleAccess(env, person.user.id, "gmail", after.access);
  expect(renewed?.token).not.toBe(after.access);
  expect(await googleAccess(env, person.user.id, "gmail", after.access)).toEqual(renewed);
  expect((await grantOf(person.email)).refreshes).toBe(2);
});

it("Google tokens that cannot be refreshed end the connection until it is connected again; an outage at Google does not", async () => {
  const person = await signIn();
  await connectGoogle(person);
  await endSoon(person);
  await changeGrant(person.email, { fault: "token-500" });
  const { access } = await tokensOf(person);
  expect(await googleAccess(env, person.user.id, "gmail")).toMatchObject({ token: access });
  await expect(googleAccess(env, person.user.id, "gmail", access)).rejects.toThrow("Google cannot be reached right now.");
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true });

  await changeGrant(person.email, { do: "revoke", fault: null });
  const tab = await openTab(person);
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ ...DEAD, email: person.email });
  await until("the news", async () => tab.events.find((event) => event.type === "content.changed" && event.kind === "tools"));
  tab.close();
  expect(await googleAccess(env, person.user.id, "gmail")).toBeUndefined();
  await connectGoogle(person);
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true, error: null });
});

it("Google's tokens are those of the connection that was made while they were renewed", async () => {
  const person = await signIn();
  await connectGoogle(person);
  await endSoon(person);
  meanwhile("/token", () => connectGoogle(person));
  const found = await findToken({ env, db: openDatabase(env.DB), userId: person.user.id }, null);
  expect(found).toEqual({ ok: true, value: (await tokensOf(person)).access });
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true, error: null });
});

it("Google's tokens that Google refuses even when they are new end the connection, but not the one that took its place", async () => {
  const person = await signIn();
  await connectGoogle(person);
  const { access } = await tokensOf(person);
  await connectGoogle(person);
  await noteGoogleRefusal(env, person.user.id, access);
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true });
  await noteGoogleRefusal(env, person.user.id, (await tokensOf(person)).access);
  expect(await person.take(getGoogleStatus, {})).toMatchObject(DEAD);
});

it("Google's tokens stand in no answer, no log and no row, and can be opened by nobody else and after a rotation of the key", async () => {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
  const person = await signIn();
  await connectGoogle(person);
  const tokens = await tokensOf(person);
  await changeGrant(person.email, { do: "expire" });
  await endSoon(person);
  await googleAccess(env, person.user.id, "gmail", tokens.access);
  const status = await person.fetch("/api/gmail/connection-status");
  const row = await rowOf(person);
  const written = JSON.stringify([await status.text(), row, ...spies.map(({ mock }) => mock.calls)]);
  const renewed = await tokensOf(person);
  for (const secret of [tokens.access, tokens.refresh, renewed.access]) expect(written).not.toContain(secret);

  if (!row) throw new Error("Nothing is connected.");
  expect(await openTokens(env, { ...row, user_id: (await signIn()).user.id })).toBeNull();
  const rotated = deploymentWith({ CREDENTIAL_KEYS: `newer:${btoa("n".repeat(32))},${env.CREDENTIAL_KEYS}` });
  expect(await openTokens(rotated, row)).toEqual(renewed);
  const lost = deploymentWith({ CREDENTIAL_KEYS: `newer:${btoa("n".repeat(32))}` });
  expect(await openTokens(lost, row)).toBeNull();
});

it("disconnecting Google gives the grant back and leaves nothing; what is not connected stays so", async () => {
  const person = await signIn();
  await connectGoogle(person);
  expect((await grantOf(person.email)).isLive).toBe(true);
  expect(await person.take(disconnectGoogle, {})).toEqual({ ok: true });
  expect((await grantOf(person.email)).isLive).toBe(false);
  expect(await rowOf(person)).toBeNull();
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: false, email: null, error: null });
  expect(await person.take(disconnectGoogle, {})).toEqual({ ok: true });
});

it("disconnecting Google does nothing by halves: while Google cannot be reached it stays, and can be tried again", async () => {
  const person = await signIn();
  await connectGoogle(person);
  const init = { method: "DELETE", headers: { origin: ORIGIN, ...cookiesOf(person) } };
  const failed = await visitWith({ GOOGLE_REVOKE_URL: "http://127.0.0.1:9/revoke" }, "/api/gmail/connection-status", init);
  expect([failed.status, await failed.json()]).toEqual([502, expect.objectContaining({ code: "GOOGLE_UNREACHABLE" })]);
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true });
  await changeGrant(person.email, { do: "revoke" });
  expect(await person.take(disconnectGoogle, {})).toEqual({ ok: true });
  expect(await rowOf(person)).toBeNull();
});

it("disconnecting Google leaves a connection that was made meanwhile", async () => {
  const person = await signIn();
  await connectGoogle(person);
  const other = newAddress();
  meanwhile("/revoke", () => connectGoogle(person, { email: other }));
  expect(await person.take(disconnectGoogle, {})).toEqual({ ok: true });
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true, email: other });
  expect((await grantOf(other)).isLive).toBe(true);
});

it("disconnecting Google of an account that is deleted waits for no Google: nothing of it stays here", async () => {
  const person = await signIn();
  await connectGoogle(person);
  const unreachable = deploymentWith({ GOOGLE_REVOKE_URL: "http://127.0.0.1:9/revoke" });
  const place = { env: unreachable, db: openDatabase(env.DB), userId: person.user.id };
  await disconnectWithoutRevoking(place);
  expect(await rowOf(person)).toBeNull();
  await disconnectWithoutRevoking(place);
  await connectGoogle(person);
  await disconnectWithoutRevoking({ ...place, env });
  expect([await rowOf(person), (await grantOf(person.email)).isLive]).toEqual([null, false]);
});

it("disconnecting Google happens by itself to an account whose place another takes", async () => {
  const person = await signIn();
  await connectGoogle(person);
  const other = newAddress();
  await connectGoogle(person, { email: other });
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: true, email: other });
  expect((await grantOf(person.email)).isLive).toBe(false);
  expect((await grantOf(other)).isLive).toBe(true);
});
