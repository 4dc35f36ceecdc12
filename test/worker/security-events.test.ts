import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { blockUser } from "#shared/contracts/account/admin.ts";
import { deleteAdditionalEmail, startAdditionalEmail, verifyAdditionalEmail } from "#shared/contracts/account/additional-emails.ts";
import { createApiKey, listApiKeys } from "#shared/contracts/account/api-keys.ts";
import { getSession, signOut, startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import { getOverview } from "#shared/contracts/account/operation.ts";
import { startWhatsAppSetup, unlinkWhatsApp, verifyWhatsAppSetup } from "#shared/contracts/account/whatsapp.ts";
import { acceptTeamInvitation, createTeam, listTeamMembers, sendTeamInvitation } from "#shared/contracts/account/teams.ts";
import { getChat } from "#shared/contracts/chat/chats.ts";
import { ALERT_LINK, alertsTo, newestCode } from "#test/support/mailbox.ts";
import { runNight } from "#test/support/night.ts";
import { newestCodeAt, newPhoneNumber } from "#test/support/phones.ts";
import { startChat } from "#test/support/replies.ts";
import { askForCode, cookiesOf, wrongCode, post } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn, signInAdministrator, signInByMail, visit, visitor } from "#test/support/worker.ts";
import { alertJob } from "#worker/people/alerts/alerts.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const MAILBOX = env.MAILBOX_SIMULATOR;
const DAY_MS = 24 * 60 * 60_000;

/** The newest of so many alerts that an address got; fails where there are more. */
async function alertTo(email: string, count = 1) {
  const [alert, ...others] = await until(`alert ${count}`, async () => {
    const alerts = await alertsTo(MAILBOX, email);
    return alerts.length >= count ? alerts : null;
  });
  expect(others).toHaveLength(count - 1);
  if (!alert) throw new Error("There is no alert.");
  return { ...alert, path: new URL(ALERT_LINK.exec(alert.text)?.[0] ?? "").pathname };
}

function newKey(name = "Editor") {
  return { body: { id: crypto.randomUUID(), name, scopes: ["chats" as const, "models" as const], budget: null } };
}

const isIn = async (person: Person) => (await person.take(getSession, {})).user !== null;

it("an account's owner is notified by mail of a sign-in from a new browser, and of none from one that was in the account before", async () => {
  const email = newAddress();
  const own = await signInByMail(visitor(), email);
  await own.fetch("/api/auth/signout", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  await signInByMail(own, email);
  // The account's first browser, and the same one again: only then another.
  await signInByMail(visitor(), email);
  const alert = await alertTo(email);
  expect(alert.subject).toBe("New sign-in to your Polylogue account");
  expect(alert.text).toMatch(/from a browser that is new to it: A browser\. It was \d+ \w+ \d{4} at \d{1,2}:\d\d \([\w/]+\)\./);
  expect(alert.text).not.toContain(email);
});

it("an account's owner is notified by mail of a new key, once, and of an address or a number that was added or removed", async () => {
  const person = await signIn();
  const asked = newKey();
  await person.take(createApiKey, asked);
  await person.take(createApiKey, asked);
  expect((await alertTo(person.email)).text).toContain("A key was made by which another program acts in your account, named ‘Editor’.");
  await person.take(createApiKey, newKey("Call +49 1512 3456789 now"));
  expect((await alertTo(person.email, 2)).text).not.toContain("1512");

  const address = newAddress();
  await person.take(startAdditionalEmail, { body: { email: address } });
  await person.take(verifyAdditionalEmail, { body: { code: (await newestCode(MAILBOX, address)) ?? "" } });
  expect((await alertTo(person.email, 3)).text).toContain(`mailed from ${address} counts as yours from now on`);
  await person.take(deleteAdditionalEmail, { body: { email: address } });
  expect((await alertTo(person.email, 4)).text).toContain(`mailed from ${address} no longer counts as yours`);
  await person.take(deleteAdditionalEmail, { body: { email: address } });
  expect(await alertsTo(MAILBOX, address)).toEqual([]);

  const number = newPhoneNumber();
  await person.take(startWhatsAppSetup, { body: { phoneNumber: number } });
  await person.take(verifyWhatsAppSetup, { body: { code: (await newestCodeAt(env.WHATSAPP_SIMULATOR, number)) ?? "" } });
  expect((await alertTo(person.email, 5)).subject).toBe("A number was added to your Polylogue account");
  await person.take(unlinkWhatsApp, {});
  expect((await alertTo(person.email, 6)).subject).toBe("A number was removed from your Polylogue account");
});

it("an account's owner is notified by mail and ends all sessions and keys with a press of 'This wasn't me', once", async () => {
  const email = newAddress();
  const [own, thief] = [await signInByMail(visitor(), email), await signInByMail(visitor(), email)];
  const other = await signIn();
  const { secret } = await thief.take(createApiKey, newKey());
  const asked = (token = secret) => visit("/v1/models", { headers: { authorization: `Bearer ${token}` } });
  expect((await asked()).status).toBe(200);
  await env.DB.prepare("INSERT INTO identities (provider, subject, user_id, created_at) VALUES ('google', ?1, ?2, ?3)")
    .bind(`thief-${email}`, own.user.id, new Date().toISOString())
    .run();
  await env.DB.prepare("INSERT INTO identities (provider, subject, user_id, created_at) VALUES ('google', ?1, ?2, ?3)")
    .bind(`own-${email}`, own.user.id, new Date(Date.now() - DAY_MS).toISOString())
    .run();
  const { path } = await alertTo(email, 2);

  // A scanner that opens the link changes nothing.
  const page = await visit(path);
  expect([page.status, page.headers.get("referrer-policy"), page.headers.get("cache-control")]).toEqual([200, "no-referrer", "no-store"]);
  expect(await page.text()).toContain('<form method="post"><button>Sign out everywhere</button></form>');
  expect([await isIn(own), await isIn(thief)]).toEqual([true, true]);

  const pressed = await visit(path, { method: "POST" });
  expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining("You are signed out everywhere")]);
  expect([await isIn(own), await isIn(thief), await isIn(other)]).toEqual([false, false, true]);
  expect((await asked()).status).toBe(401);
  const left = await env.DB.prepare("SELECT subject FROM identities WHERE user_id = ?").bind(own.user.id).all();
  expect(left.results).toEqual([{ subject: `own-${email}` }]);

  const again = await signInByMail(visitor(), email);
  expect((await again.take(listApiKeys, {})).keys).toEqual([]);
  for (const init of [{}, { method: "POST" }]) {
    const spent = await visit(path, init);
    expect([spent.status, await spent.text()]).toEqual([404, expect.stringContaining("<h1>This link was used already")]);
  }
  expect(await isIn(again)).toBe(true);
  for (const method of ["GET", "POST"]) expect((await visit("/not-me/guessed", { method })).status).toBe(404);
});

it("an account's owner is notified by mail once, though the job of it comes twice", async () => {
  const person = await signIn();
  const alert = { userId: person.user.id, what: "key", detail: "Editor", at: new Date().toISOString(), origin: "http://localhost" };
  for (let times = 0; times < 2; times += 1) await alertJob.receive(env, alert, 1);
  expect((await alertTo(person.email)).subject).toBe("A new key for your Polylogue account");
});

it("an account's owner is notified by mail by a link that holds for thirty days, and goes with the night after", async () => {
  const person = await signIn();
  await person.take(createApiKey, newKey());
  const { path } = await alertTo(person.email);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 29 * DAY_MS });
  expect((await visit(path)).status).toBe(200);
  vi.setSystemTime(Date.now() + 2 * DAY_MS);
  expect((await visit(path)).status).toBe(404);
  await runNight();
  const left = await env.DB.prepare("SELECT count(*) AS n FROM alert_links WHERE user_id = ?").bind(person.user.id).first("n");
  expect(left).toBe(0);
});

const Noted = z.strictObject({
  message: z.literal("security"),
  kind: z.string(),
  account: z.nullable(z.string()),
  network: z.string(),
  path: z.string(),
  request: z.string().check(z.minLength(8)),
});

/** The lines that are written from now on. */
function listen() {
  const lines: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  return { lines, events: () => lines.map((line) => Noted.parse(JSON.parse(line))) };
}

it("a security event is one line with its kind, account, network and request and nobody's address, and is counted for administrators", async () => {
  const admin = await signInAdministrator();
  const counted = async () => Object.fromEntries((await admin.take(getOverview, {})).security.map(({ kind, today }) => [kind, today]));
  const before = await counted();
  const { lines, events } = listen();
  const [browser, email] = [visitor(), newAddress()];
  const ip = { "cf-connecting-ip": "203.0.113.77", "cf-ray": "8f2a64b1c9d3e5f7-FRA" };

  const code = await askForCode(browser, email);
  const wrong = await visit("/api/auth/email/verify", post({ email, code: wrongCode(code) }, { ...cookiesOf(browser), ...ip }));
  expect(wrong.status).toBe(400);
  expect(events().at(-1)).toEqual({
    message: "security",
    kind: "wrong-code",
    account: null,
    network: "203.0.113.0/24",
    path: "/api/auth/email/verify",
    request: ip["cf-ray"],
  });
  const { user } = await browser.take(verifyEmailSignIn, { body: { email, code } });
  expect(events().at(-1)).toMatchObject({ kind: "sign-in", account: user.id, network: "local", path: "/api/auth/email/verify" });
  const again = await signInByMail(visitor(), email);
  expect(events().at(-1)).toMatchObject({ kind: "new-browser", account: user.id });
  await browser.take(signOut, { body: {} });
  expect(events().at(-1)).toMatchObject({ kind: "sign-out", account: user.id });

  const { chatId } = await startChat(await signIn(), "say mine");
  for (const id of [chatId, crypto.randomUUID()]) {
    expect(refusal(await again.call(getChat, { params: { id } }))).toBe("NOT_FOUND");
    expect(events().at(-1)).toMatchObject({ kind: "foreign-id", account: user.id, path: `/api/chat/${id}` });
  }
  expect(refusal(await again.call(getOverview, {}))).toBe("NOT_FOUND");
  expect(events().at(-1)).toMatchObject({ kind: "refused", account: user.id });

  const host = await signIn();
  const { team } = await host.take(createTeam, { body: { name: "Crew" } });
  expect(refusal(await again.call(listTeamMembers, { params: { id: team.id } }))).toBe("TEAM_NOT_FOUND");
  expect(events().at(-1)).toMatchObject({ kind: "foreign-id", account: user.id });
  const { invitation } = await host.take(sendTeamInvitation, { body: { teamId: team.id, email: newAddress() } });
  for (const [token, reason, kind] of [
    [invitation.token, "TEAM_INVITATION_MISMATCH", "refused"],
    ["guessed", "TEAM_INVITATION_NOT_FOUND", "wrong-code"],
  ] as const) {
    expect(refusal(await again.call(acceptTeamInvitation, { params: { token }, body: {} }))).toBe(reason);
    expect(events().at(-1)).toMatchObject({ kind, account: user.id, path: "/api/teams/invitations/…" });
  }

  for (const path of ["/v1/models", "/mcp"]) {
    expect((await visit(path, { headers: { authorization: `Bearer plg_${"x".repeat(43)}`, ...ip } })).status).toBe(401);
    expect(events().at(-1)).toMatchObject({ kind: "wrong-key", account: null, network: "203.0.113.0/24" });
  }
  expect((await visit("/api/auth/signout", post({}, { origin: "https://evil.example" }))).status).toBe(403);
  expect(events().at(-1)).toMatchObject({ kind: "foreign-origin" });
  expect((await visit("/api/mail/webhook", { method: "POST", body: "{}" })).status).toBe(401);
  expect(events().at(-1)).toMatchObject({ kind: "wrong-signature" });

  await admin.take(blockUser, { params: { id: user.id }, body: { reason: "for the test" } });
  expect(events().at(-1)).toMatchObject({ kind: "block", account: user.id });
  const last = visitor();
  await last.take(startEmailSignIn, { body: { email } });
  const lastCode = (await newestCode(MAILBOX, email)) ?? "";
  expect(refusal(await last.call(verifyEmailSignIn, { body: { email, code: lastCode } }))).toBe("ACCOUNT_BLOCKED");
  expect(events().at(-1)).toMatchObject({ kind: "blocked", account: null });

  expect(lines.filter((line) => line.includes("@") || line.includes("203.0.113.77") || line.includes("plg_"))).toEqual([]);
  const kinds = Object.entries(Object.groupBy(events(), ({ kind }) => kind)).map(([kind, own]) => [kind, own?.length ?? 0] as const);
  expect(kinds.length).toBeGreaterThanOrEqual(9);
  await until("all counts", async () => {
    const now = await counted();
    return kinds.every(([kind, count]) => (now[kind] ?? 0) - (before[kind] ?? 0) === count);
  });
});
