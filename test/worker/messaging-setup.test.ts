import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { getWhatsAppSetup, startWhatsAppSetup, unlinkWhatsApp, verifyWhatsAppSetup } from "#shared/contracts/account/whatsapp.ts";
import { newestMail } from "#test/support/mailbox.ts";
import { runNight } from "#test/support/night.ts";
import { messagesAt, newestCodeAt, newPhoneNumber } from "#test/support/phones.ts";
import { cookiesOf, newIp, wrongCode, post, ageSignIn, visitWith } from "#test/support/sign-in.ts";
import { type Person, refusal, signIn, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { findLink } from "#worker/people/messaging-number/messaging-number.ts";

const db = openDatabase(env.DB);

async function startFor(person: Person, phoneNumber: string): Promise<string> {
  await person.take(startWhatsAppSetup, { body: { phoneNumber } });
  return (await newestCodeAt(env.WHATSAPP_SIMULATOR, phoneNumber)) ?? "";
}

async function link(person: Person, number = newPhoneNumber()): Promise<string> {
  await person.take(verifyWhatsAppSetup, { body: { code: await startFor(person, number) } });
  return number;
}

const ownerOf = async (phone: string) => (await findLink(db, { phone, waUserId: null }))?.userId ?? null;
const isVerified = async (person: Person) => (await person.take(getSession, {})).user?.whatsapp_verified;

/** Has the stand-in fail for a number. */
async function breakFor(number: string, fault: number | "lost"): Promise<void> {
  await fetch(`${env.WHATSAPP_SIMULATOR}/dev/phone/fault`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ number, fault }),
  });
}

it("linking a number proves it by a code that arrives there, shows it before and after, and unlinking it ends what it may", async () => {
  const [person, number] = [await signIn(), newPhoneNumber()];
  expect(await isVerified(person)).toBe(false);
  const empty = { phone_number: null, awaited_number: null, write_to: "+15550001111", simulated: true };
  expect(await person.take(getWhatsAppSetup, {})).toEqual(empty);
  // As people type it: without the country's code it is one of the United States.
  const national = `(${number.slice(2, 5)}) ${number.slice(5, 8)}-${number.slice(8)}`;
  expect(await person.take(startWhatsAppSetup, { body: { phoneNumber: ` ${national} ` } })).toEqual({ phone_number: number });
  expect(await person.take(getWhatsAppSetup, {})).toEqual({ ...empty, awaited_number: number });
  const code = (await newestCodeAt(env.WHATSAPP_SIMULATOR, number)) ?? "";
  expect(code).toMatch(/^\d{6}$/);
  expect(await ownerOf(number)).toBeNull();

  expect(refusal(await person.call(verifyWhatsAppSetup, { body: { code: wrongCode(code) } }))).toBe("INVALID_CODE");
  const { user } = await person.take(verifyWhatsAppSetup, { body: { code: ` ${code} ` } });
  expect(user.whatsapp_verified).toBe(true);
  expect(await isVerified(person)).toBe(true);
  expect(await ownerOf(number)).toBe(person.user.id);
  expect(await person.take(getWhatsAppSetup, {})).toEqual({ ...empty, phone_number: number });
  expect(refusal(await person.call(verifyWhatsAppSetup, { body: { code } }))).toBe("INVALID_CODE");
  expect(refusal(await person.call(startWhatsAppSetup, { body: { phoneNumber: number } }))).toBe("NUMBER_LINKED");

  const after = await person.take(unlinkWhatsApp, {});
  expect(after.user.whatsapp_verified).toBe(false);
  expect(await ownerOf(number)).toBeNull();
  expect(await person.take(getWhatsAppSetup, {})).toEqual(empty);
});

it("linking a number keeps the code as a hash alone", async () => {
  const person = await signIn();
  const code = await startFor(person, newPhoneNumber());
  const row = await env.DB.prepare("SELECT * FROM messaging_codes WHERE user_id = ?").bind(person.user.id).first();
  expect(JSON.stringify(row)).not.toContain(code);
});

it.each(["", "   ", "12", "+1 212", "+999 123 4567", "words", "+1 212 555 0123 ext. 5"])(
  "linking a number refuses %j, and sends nothing",
  async (phoneNumber) => {
    const person = await signIn();
    expect(refusal(await person.call(startWhatsAppSetup, { body: { phoneNumber } }))).toBe("INVALID_INPUT");
    expect(await person.take(getWhatsAppSetup, {})).toMatchObject({ awaited_number: null });
  },
);

it("linking a number needs a sign-in of the last hour, and sends nothing without", async () => {
  const [person, number] = [await signIn(), newPhoneNumber()];
  await ageSignIn(person, 61);
  const answer = await person.call(startWhatsAppSetup, { body: { phoneNumber: number } });
  expect(answer).toMatchObject({ ok: false, status: 403, error: { code: "FRESH_SIGN_IN_REQUIRED" } });
  expect(await messagesAt(env.WHATSAPP_SIMULATOR, number)).toEqual([]);
});

it("linking a number is not for guests, and says so where the app is not set up", async () => {
  const answer = await visitor().call(startWhatsAppSetup, { body: { phoneNumber: newPhoneNumber() } });
  expect(answer).toMatchObject({ ok: false, status: 401 });
  const person = await signIn();
  const init = post({ phoneNumber: newPhoneNumber() }, cookiesOf(person));
  const off = await visitWith({ WHATSAPP_TOKEN: undefined }, "/api/whatsapp/setup/start", init);
  expect([off.status, await off.json()]).toEqual([503, expect.objectContaining({ code: "WHATSAPP_OFF" })]);
  const session = await visitWith({ WHATSAPP_TOKEN: undefined }, "/api/auth/session", { headers: cookiesOf(person) });
  expect(await session.json()).toMatchObject({ features: { whatsapp: false } });
});

it("linking a number takes another number in the place of the one before", async () => {
  const person = await signIn();
  const first = await link(person);
  const second = await link(person);
  expect([await ownerOf(first), await ownerOf(second)]).toEqual([null, person.user.id]);
});

it("linking a number proves the own number again where the app may have another id of its holder by now", async () => {
  const person = await signIn();
  const phone = await link(person);
  await env.DB.prepare("UPDATE messaging_links SET wa_user_id = ? WHERE user_id = ?").bind(`US.${phone}`, person.user.id).run();
  expect(await findLink(db, { phone, waUserId: "US.another" })).toBeNull();
  await link(person, phone);
  expect((await findLink(db, { phone, waUserId: "US.another" }))?.userId).toBe(person.user.id);
});

it("linking a number moves a number to whoever proves it, answers the same until then, and notifies the former owner", async () => {
  const [former, next] = [await signIn(), await signIn()];
  const number = await link(former);
  const code = await startFor(next, number);
  expect(code).toMatch(/^\d{6}$/);
  expect(await ownerOf(number)).toBe(former.user.id);
  await next.take(verifyWhatsAppSetup, { body: { code } });
  expect(await ownerOf(number)).toBe(next.user.id);
  expect([await isVerified(former), await isVerified(next)]).toEqual([false, true]);
  const mail = await newestMail(env.MAILBOX_SIMULATOR, former.email);
  expect(mail?.subject).toBe(`${shown(number)} is linked to another account now`);
  expect(mail?.text).toContain("/?setup=whatsapp");
  expect(mail?.text).not.toContain(next.email);
});

it("a code for a number is dead after five wrong tries, after ten minutes, and once another was asked for", async () => {
  const person = await signIn();
  const code = await startFor(person, newPhoneNumber());
  const wrong = { body: { code: wrongCode(code) } };
  for (let at = 0; at < 5; at += 1) expect(refusal(await person.call(verifyWhatsAppSetup, wrong))).toBe("INVALID_CODE");
  expect(refusal(await person.call(verifyWhatsAppSetup, { body: { code } }))).toBe("INVALID_CODE");

  const late = await startFor(person, newPhoneNumber());
  const past = new Date(Date.now() - 1).toISOString();
  await env.DB.prepare("UPDATE messaging_codes SET expires_at = ? WHERE user_id = ?").bind(past, person.user.id).run();
  expect(refusal(await person.call(verifyWhatsAppSetup, { body: { code: late } }))).toBe("INVALID_CODE");
  await runNight();
  const left = await env.DB.prepare("SELECT count(*) AS n FROM messaging_codes WHERE user_id = ?").bind(person.user.id).first("n");
  expect(left).toBe(0);

  const other = await signIn();
  const [first, second] = [newPhoneNumber(), newPhoneNumber()];
  const firstCode = await startFor(other, first);
  const secondCode = await startFor(other, second);
  // One in a million is the same.
  if (firstCode !== secondCode) await other.call(verifyWhatsAppSetup, { body: { code: firstCode } });
  expect(await ownerOf(first)).toBeNull();
  await other.take(verifyWhatsAppSetup, { body: { code: secondCode } });
  expect(await ownerOf(second)).toBe(other.user.id);
});

it("a code for a number is another person's secret: it proves nothing to who did not ask for it", async () => {
  const [person, other] = [await signIn(), await signIn()];
  const code = await startFor(person, newPhoneNumber());
  expect(refusal(await other.call(verifyWhatsAppSetup, { body: { code } }))).toBe("INVALID_CODE");
});

it("a code for a number is sent three times an hour to one person, and to one number", async () => {
  const person = await signIn();
  for (let at = 0; at < 3; at += 1) await startFor(person, newPhoneNumber());
  const fourth = newPhoneNumber();
  expect(await person.call(startWhatsAppSetup, { body: { phoneNumber: fourth } })).toMatchObject({
    status: 429,
    error: { code: "CODE_RATE_LIMITED" },
  });
  expect(await messagesAt(env.WHATSAPP_SIMULATOR, fourth)).toEqual([]);

  const number = newPhoneNumber();
  for (let at = 0; at < 3; at += 1) await startFor(await signIn(), number);
  expect(refusal(await (await signIn()).call(startWhatsAppSetup, { body: { phoneNumber: number } }))).toBe("CODE_RATE_LIMITED");
  expect(await messagesAt(env.WHATSAPP_SIMULATOR, number)).toHaveLength(3);
});

it("a code for a number is asked for and guessed so many times an hour from one line", async () => {
  const person = await signIn();
  const headers = { ...cookiesOf(person), ...newIp() };
  const start = () =>
    visitWith({ CODES_PER_HOUR_PER_IP: "1" }, "/api/whatsapp/setup/start", post({ phoneNumber: newPhoneNumber() }, headers));
  expect([(await start()).status, (await start()).status]).toEqual([200, 429]);
  const verify = () => visitWith({ CODES_PER_HOUR_PER_BROWSER: "2" }, "/api/whatsapp/setup/verify", post({ code: "0000000" }, headers));
  expect([(await verify()).status, (await verify()).status]).toEqual([400, 400]);
  expect(await (await verify()).json()).toEqual({ code: "NUMBER_TRIES_LIMITED", error: "Too many wrong codes. Try again in an hour." });
});

it("a code for a number that was refused is said why, and counts for nothing", async () => {
  const person = await signIn();
  const number = newPhoneNumber();
  for (let at = 0; at < 4; at += 1) {
    await breakFor(number, 131_026);
    expect(await person.call(startWhatsAppSetup, { body: { phoneNumber: number } })).toMatchObject({
      status: 400,
      error: { code: "NOT_ON_WHATSAPP", error: "This number does not use WhatsApp." },
    });
  }
  expect(await person.take(getWhatsAppSetup, {})).toMatchObject({ awaited_number: null });
  // Where it may have gone out all the same, it still holds.
  await breakFor(number, "lost");
  expect(refusal(await person.call(startWhatsAppSetup, { body: { phoneNumber: number } }))).toBe("WHATSAPP_FAILED");
  await person.take(verifyWhatsAppSetup, { body: { code: (await newestCodeAt(env.WHATSAPP_SIMULATOR, number)) ?? "" } });
  expect(await ownerOf(number)).toBe(person.user.id);
});

function shown(number: string): string {
  return `+1 ${number.slice(2, 5)} ${number.slice(5, 8)} ${number.slice(8)}`;
}
