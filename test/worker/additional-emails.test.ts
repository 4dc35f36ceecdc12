import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  checkEmailAuthentication,
  deleteAdditionalEmail,
  startAdditionalEmail,
  verifyAdditionalEmail,
} from "#shared/contracts/account/additional-emails.ts";
import { getSession, startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import { mailsTo, newestCode } from "#test/support/mailbox.ts";
import { runNight } from "#test/support/night.ts";
import { cookiesOf, wrongCode, post, ageSignIn, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn, visitor } from "#test/support/worker.ts";
import { checkAuthentication } from "#worker/people/additional-emails/check-authentication.ts";
import { accountOfAddress, verifiedAddresses } from "#worker/people/addresses/verified-addresses.ts";
import { lookUpTexts } from "#worker/platform/clients/dns.ts";
import { openDatabase } from "#worker/platform/db/client.ts";

const db = openDatabase(env.DB);

async function startFor(person: Person, email: string): Promise<string> {
  await person.take(startAdditionalEmail, { body: { email } });
  return (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
}

async function add(person: Person, email = newAddress()): Promise<string> {
  await person.take(verifyAdditionalEmail, { body: { code: await startFor(person, email) } });
  return email;
}

async function give(userId: string, email: string): Promise<void> {
  await env.DB.prepare("INSERT INTO additional_emails (email, user_id, verified_at) VALUES (?, ?, ?)")
    .bind(email, userId, new Date().toISOString())
    .run();
}

const addressesOf = async (person: Person) => (await person.take(getSession, {})).user?.additional_emails;

it("adding an address proves it by a mailed code, shows it before and after, and removing it ends what it may", async () => {
  const [person, email] = [await signIn(), newAddress()];
  const code = await startFor(person, ` ${email.toUpperCase()}`);
  expect(code).toMatch(/^\d{6}$/);
  expect(await addressesOf(person)).toEqual([{ email, verified_at: null }]);
  expect(await accountOfAddress(db, email)).toBeNull();

  expect(refusal(await person.call(verifyAdditionalEmail, { body: { code: wrongCode(code) } }))).toBe("INVALID_CODE");
  const { user } = await person.take(verifyAdditionalEmail, { body: { code: ` ${code} ` } });
  expect(user.additional_emails).toEqual([{ email, verified_at: expect.stringMatching(/^\d{4}-/) }]);
  expect(await accountOfAddress(db, ` ${email.toUpperCase()} `)).toBe(person.user.id);
  expect(await verifiedAddresses(db, person.user.id)).toEqual([person.email, email]);
  expect(refusal(await person.call(verifyAdditionalEmail, { body: { code } }))).toBe("INVALID_CODE");

  const after = await person.take(deleteAdditionalEmail, { body: { email: email.toUpperCase() } });
  expect(after.user.additional_emails).toEqual([]);
  expect(await accountOfAddress(db, email)).toBeNull();
  expect(await verifiedAddresses(db, person.user.id)).toEqual([person.email]);
});

it("adding an address needs a sign-in of the last hour, and mails nothing without", async () => {
  const [person, email] = [await signIn(), newAddress()];
  await ageSignIn(person, 61);
  const answer = await person.call(startAdditionalEmail, { body: { email } });
  expect(answer).toMatchObject({ ok: false, status: 403, error: { code: "FRESH_SIGN_IN_REQUIRED" } });
  expect(await mailsTo(env.MAILBOX_SIMULATOR, email)).toEqual([]);
});

it("adding an address is not for guests", async () => {
  const answer = await visitor().call(startAdditionalEmail, { body: { email: newAddress() } });
  expect(answer).toMatchObject({ ok: false, status: 401 });
});

it("adding an address takes five addresses, and counts those that are proven", async () => {
  const person = await signIn();
  for (let at = 0; at < 4; at += 1) await give(person.user.id, newAddress());
  const code = await startFor(person, newAddress());
  await give(person.user.id, newAddress());
  expect(refusal(await person.call(verifyAdditionalEmail, { body: { code } }))).toBe("EMAILS_FULL");
  expect(refusal(await person.call(startAdditionalEmail, { body: { email: newAddress() } }))).toBe("EMAILS_FULL");
});

it("adding an address refuses an own address at once, and another account's only once its mailbox is proven", async () => {
  const [person, other] = [await signIn(), await signIn()];
  const own = await add(person);
  for (const email of [person.email, own]) {
    expect(refusal(await person.call(startAdditionalEmail, { body: { email } }))).toBe("EMAIL_IN_USE");
  }
  const theirs = await add(other);
  for (const email of [other.email, theirs]) {
    const code = await startFor(person, email);
    expect(await person.call(verifyAdditionalEmail, { body: { code } })).toMatchObject({ status: 409, error: { code: "EMAIL_IN_USE" } });
    expect(await accountOfAddress(db, email)).toBe(other.user.id);
  }
  expect((await addressesOf(person))?.map(({ email }) => email)).toEqual([own]);
});

it("adding an address opens no session and no second account to whoever signs in by it", async () => {
  const email = await add(await signIn());
  const browser = visitor();
  await browser.take(startEmailSignIn, { body: { email } });
  const code = (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
  const answer = await browser.call(verifyEmailSignIn, { body: { email, code } });
  expect(answer).toMatchObject({ ok: false, status: 409, error: { code: "EMAIL_IN_USE" } });
  expect((await browser.take(getSession, {})).user).toBeNull();
});

it("adding an address keeps an address one account's whatever comes first", async () => {
  const [one, other, address] = [await signIn(), await signIn(), newAddress()];
  await give(one.user.id, address);
  await expect(give(other.user.id, address)).rejects.toThrow(/UNIQUE/);
});

it("a code for an address is dead after five wrong tries, after ten minutes, and once another was asked for", async () => {
  const person = await signIn();
  const code = await startFor(person, newAddress());
  const wrong = { body: { code: wrongCode(code) } };
  for (let at = 0; at < 5; at += 1) expect(refusal(await person.call(verifyAdditionalEmail, wrong))).toBe("INVALID_CODE");
  expect(refusal(await person.call(verifyAdditionalEmail, { body: { code } }))).toBe("INVALID_CODE");

  const late = await startFor(person, newAddress());
  const past = new Date(Date.now() - 1).toISOString();
  await env.DB.prepare("UPDATE additional_email_codes SET expires_at = ? WHERE user_id = ?").bind(past, person.user.id).run();
  expect(refusal(await person.call(verifyAdditionalEmail, { body: { code: late } }))).toBe("INVALID_CODE");
  expect(await addressesOf(person)).toEqual([]);
  await runNight();
  const left = await env.DB.prepare("SELECT count(*) AS n FROM additional_email_codes WHERE user_id = ?").bind(person.user.id).first("n");
  expect(left).toBe(0);

  const [first, second] = [newAddress(), newAddress()];
  const firstCode = await startFor(person, first);
  const secondCode = await startFor(person, second);
  // One in a million is the same.
  if (firstCode !== secondCode) await person.call(verifyAdditionalEmail, { body: { code: firstCode } });
  expect(await addressesOf(person)).toEqual([{ email: second, verified_at: null }]);
  await person.take(verifyAdditionalEmail, { body: { code: secondCode } });
  expect((await addressesOf(person))?.map(({ email }) => email)).toEqual([second]);
});

it("a code for an address is another person's secret: it proves nothing to who did not ask for it", async () => {
  const [person, other] = [await signIn(), await signIn()];
  const code = await startFor(person, newAddress());
  expect(refusal(await other.call(verifyAdditionalEmail, { body: { code } }))).toBe("INVALID_CODE");
});

it("a code for an address is asked for and guessed so many times an hour by one person", async () => {
  const person = await signIn();
  const limits = { CODES_PER_HOUR_PER_BROWSER: "2" };
  const ask = (path: string, body: unknown) => visitWith(limits, path, post(body, cookiesOf(person)));
  const start = () => ask("/api/email/additional/start", { email: newAddress() });
  expect([(await start()).status, (await start()).status, (await start()).status]).toEqual([200, 200, 429]);
  const verify = () => ask("/api/email/additional/verify", { code: "0000000" });
  expect([(await verify()).status, (await verify()).status, (await verify()).status]).toEqual([400, 400, 429]);
});

describe("what a mail domain's DNS says", () => {
  const check = (domain: string) => checkAuthentication(domain, (name) => lookUpTexts(env, name));

  it.each<[string, ("dkim" | "dmarc")[]]>([
    ["example.com", ["dmarc"]],
    ["alias.example", ["dmarc"]],
    ["signed.example", ["dkim"]],
    ["unsure.example", ["dmarc"]],
    ["half.example", ["dkim"]],
    ["mail.of.organisation.example", ["dmarc"]],
    ["gmail.com", ["dkim", "dmarc"]],
    ["twice.example", []],
    ["other.example", []],
    ["revoked.example", []],
    ["nothing.example", []],
  ])("what a mail domain's DNS says of %s is %j", async (domain, methods) => {
    const found = await check(domain);
    expect(found).toMatchObject({ domain, methods, hasAuthentication: methods.length > 0 });
    expect([found.dkim, found.dmarc]).toEqual([methods.includes("dkim"), methods.includes("dmarc")]);
  });

  it.each(["broken.example", "down.example", "slow.example"])(
    "what a mail domain's DNS says is not known where the resolver fails for %s",
    async (domain) => {
      expect(await check(domain)).toMatchObject({ hasAuthentication: false, error: expect.stringContaining("could not be looked up") });
    },
  );

  it("what a mail domain's DNS says asks for eight names of a deep one at most, its own first", async () => {
    const asked: string[] = [];
    await checkAuthentication("a.b.c.d.e.f.g.h.i.j.example", async (name) => {
      asked.push(name);
      return [];
    });
    const walk = asked.filter((name) => name.startsWith("_dmarc."));
    expect([walk.length, walk[0], walk[1], walk.at(-1)]).toEqual([
      8,
      "_dmarc.a.b.c.d.e.f.g.h.i.j.example",
      "_dmarc.e.f.g.h.i.j.example",
      "_dmarc.example",
    ]);
  });

  it("what a mail domain's DNS says is looked up for the session's own address, whatever the body says, with one mail of instructions where both are missing", async () => {
    const [known, bare] = [await signIn(), await signIn(visitor(), `${crypto.randomUUID()}@nothing.example`)];
    expect(await known.take(checkEmailAuthentication, { body: { userId: bare.user.id } })).toMatchObject({
      hasAuthentication: true,
      domain: "example.com",
      error: null,
    });
    for (let at = 0; at < 2; at += 1) {
      expect(await bare.take(checkEmailAuthentication, { body: {} })).toMatchObject({ hasAuthentication: false, error: null });
    }
    await until("the instructions", async () => (await mailsTo(env.MAILBOX_SIMULATOR, bare.email)).length > 0);
    const mails = await mailsTo(env.MAILBOX_SIMULATOR, bare.email);
    expect(mails.map(({ subject }) => subject)).toEqual(["Set up DKIM or DMARC for nothing.example"]);
    expect(mails[0]?.text).toContain("_dmarc.nothing.example");
    expect(await mailsTo(env.MAILBOX_SIMULATOR, known.email)).toEqual([]);
  });
});
