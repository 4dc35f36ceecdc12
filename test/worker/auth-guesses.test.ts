import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { signInByLink, signOut, startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import { APP_NAME } from "#shared/app.ts";
import { mailsTo, newestCode } from "#test/support/mailbox.ts";
import { newestCodeAt, newPhoneNumber } from "#test/support/phones.ts";
import { askForCode, cookiesOf, newestToken, newIp, wrongCode, post, visitWith } from "#test/support/sign-in.ts";
import { type Client, newAddress, signIn, signInByMail, visit, visitor } from "#test/support/worker.ts";

describe("an address whose codes strangers guess from many networks", () => {
  /** Guesses five times in a browser of its own, on a line of its own each time, all at once: what the answers say. */
  async function guess(email: string): Promise<string[]> {
    const stranger = visitor();
    const code = await askForCode(stranger, email);
    const guesses = Array.from({ length: 5 }, async () => {
      const headers = { ...newIp(), ...cookiesOf(stranger) };
      const answer = await visit("/api/auth/email/verify", post({ email, code: wrongCode(code) }, headers));
      return (await answer.json<{ code: string }>()).code;
    });
    return Promise.all(guesses);
  }
  const start = (browser: Client, email: string) => browser.take(startEmailSignIn, { body: { email } });

  it("an address whose codes strangers guess from many networks gets a link alone after twenty wrong ones in a day, with an account or without, but for a browser that signed in to it", async () => {
    const owner = await signInByMail();
    await owner.take(signOut, { body: {} });
    for (const email of [owner.email, newAddress()]) {
      const refused: string[] = [];
      for (let browsers = 0; browsers < 4; browsers += 1) refused.push(...(await guess(email)));
      expect(refused).toEqual(Array.from({ length: 20 }, () => "INVALID_CODE"));
      const late = visitor();
      // Neither a right code nor a wrong one is distinguished by now.
      expect(await start(late, email)).toEqual({ ok: true, link_only: true });
      const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, email);
      expect(mail?.subject).toBe(`Your link to sign in to ${APP_NAME}`);
      expect(`${mail?.subject} ${mail?.text.replace(/https?:\S+/, "")}`).not.toMatch(/\b\d{6}\b/);
      expect(await late.call(verifyEmailSignIn, { body: { email, code: "000000" } })).toMatchObject({
        status: 429,
        error: { code: "LINK_ONLY" },
      });
      const linked = await visitor().take(signInByLink, { body: { token: await newestToken(email) } });
      expect(linked.user.email).toBe(email);
    }
    expect(await start(owner, owner.email)).toEqual({ ok: true, link_only: false });
    const code = (await newestCode(env.MAILBOX_SIMULATOR, owner.email)) ?? "";
    expect((await owner.take(verifyEmailSignIn, { body: { email: owner.email, code } })).user.id).toBe(owner.user.id);
  });

  it("an address whose codes strangers guess no longer takes the codes that strangers were mailed before, right ones too", async () => {
    const [waiting, email] = [visitor(), newAddress()];
    const right = await askForCode(waiting, email);
    for (let browsers = 0; browsers < 4; browsers += 1) await guess(email);
    expect(await waiting.call(verifyEmailSignIn, { body: { email, code: right } })).toMatchObject({ error: { code: "LINK_ONLY" } });
    expect(await start(waiting, email)).toMatchObject({ link_only: true });
  });

  it("an address whose codes strangers guess from many networks is known to a browser by a mark that holds there alone, for that address alone", async () => {
    const [owner, other] = [await signInByMail(), await signInByMail()];
    const ask = async (email: string, cookie: string) => {
      const limits = { CODES_PER_HOUR_PER_ADDRESS: "0" };
      return (await visitWith(limits, "/api/auth/email/start", post({ email }, { ...newIp(), cookie }))).status;
    };
    const [name = "", mark = ""] = [...owner.cookies].find(([cookie]) => cookie.endsWith("-known")) ?? [];
    const theirs = other.cookies.get(name) ?? "";
    expect(await ask(owner.email, `${name}=${mark}`)).toBe(200);
    expect(await ask(other.email, `${name}=${mark}`)).toBe(429);
    expect(await ask(owner.email, `${name}=${theirs.split(".")[0]}.${mark.split(".")[1]}`)).toBe(429);
    expect(mark).not.toContain(owner.email);
    // One who signs in to both is known to both.
    await signInByMail(owner, other.email);
    for (const email of [owner.email, other.email]) expect(await ask(email, `${name}=${owner.cookies.get(name)}`)).toBe(200);
  });

  it("an address whose codes strangers guess from many networks gets ten mails an hour, to which those for a browser that signed in to it do not count", async () => {
    const owner = await signInByMail();
    const ask = (headers: Record<string, string>) =>
      visitWith(
        { CODES_PER_HOUR_PER_ADDRESS: undefined },
        "/api/auth/email/start",
        post({ email: owner.email }, { ...newIp(), ...headers }),
      );
    await expect(ask(cookiesOf(owner))).resolves.toMatchObject({ status: 200 });
    // The mail that made the account was a stranger's.
    const asked = await Promise.all(Array.from({ length: 12 }, () => ask({})));
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(9);
    const refused = asked.find(({ status }) => status === 429);
    expect(await refused?.json()).toMatchObject({ code: "CODE_RATE_LIMITED" });
    expect((await ask(cookiesOf(owner))).status).toBe(200);
    expect(await mailsTo(env.MAILBOX_SIMULATOR, owner.email)).toHaveLength(12);
  });
});

describe("what strangers guess codes for to add it to their accounts", () => {
  const KINDS = {
    address: { path: "/api/email/additional", make: newAddress, body: (email: string) => ({ email }) },
    number: { path: "/api/whatsapp/setup", make: newPhoneNumber, body: (phoneNumber: string) => ({ phoneNumber }) },
  };

  it.each(["address", "number"] as const)(
    "what strangers guess codes for to add it to their accounts is added to none once there were too many wrong ones for the %s in a day, whoever entered them",
    async (kind) => {
      const { path, make, body } = KINDS[kind];
      const [what, other] = [make(), make()];
      const limits = { WRONG_CODES_PER_DAY_PER_ADDRESS: "4" };
      const ask = async (person: Client, to: string, sent: unknown) => {
        const answer = await visitWith(limits, `${path}/${to}`, post(sent, { ...cookiesOf(person), ...newIp() }));
        return answer.ok ? 200 : (await answer.json<{ code: string }>()).code;
      };
      const readCode = async (sentTo: string) =>
        (kind === "address" ? await newestCode(env.MAILBOX_SIMULATOR, sentTo) : await newestCodeAt(env.WHATSAPP_SIMULATOR, sentTo)) ?? "";
      const holder = await signIn();
      expect(await ask(holder, "start", body(what))).toBe(200);
      const right = await readCode(what);
      for (let strangers = 0; strangers < 2; strangers += 1) {
        const stranger = await signIn();
        expect(await ask(stranger, "start", body(what))).toBe(200);
        const wrong = { code: wrongCode(await readCode(what)) };
        expect(await Promise.all([ask(stranger, "verify", wrong), ask(stranger, "verify", wrong)])).toEqual([
          "INVALID_CODE",
          "INVALID_CODE",
        ]);
      }
      // Neither a right code nor a wrong one is distinguished by now, and no more are sent.
      expect(await ask(holder, "verify", { code: right })).toBe("WRONG_CODES_TODAY");
      expect(await ask(await signIn(), "start", body(what))).toBe("WRONG_CODES_TODAY");
      // Another is not concerned, nor is signing in.
      expect(await ask(holder, "start", body(other))).toBe(200);
      expect(await ask(holder, "verify", { code: await readCode(other) })).toBe(200);
      const signingIn = kind === "address" ? await visitor().take(startEmailSignIn, { body: { email: what } }) : null;
      expect(signingIn?.link_only ?? false).toBe(false);
    },
  );
});

it("codes to sign in, for an address and for a number are counted apart", async () => {
  const person = await signIn();
  const headers = { ...cookiesOf(person), ...newIp() };
  const limits = { CODES_PER_HOUR_PER_IP: "1", CODES_PER_HOUR_PER_BROWSER: "1" };
  const twice = async (path: string, body: () => unknown) => {
    const first = await visitWith(limits, path, post(body(), headers));
    return [first.status, (await visitWith(limits, path, post(body(), headers))).status];
  };
  expect(await twice("/api/auth/email/start", () => ({ email: newAddress() }))).toEqual([200, 429]);
  expect(await twice("/api/email/additional/start", () => ({ email: newAddress() }))).toEqual([200, 429]);
  expect(await twice("/api/whatsapp/setup/start", () => ({ phoneNumber: newPhoneNumber() }))).toEqual([200, 429]);
  expect(await twice("/api/email/additional/verify", () => ({ code: "000000" }))).toEqual([400, 429]);
  expect(await twice("/api/whatsapp/setup/verify", () => ({ code: "000000" }))).toEqual([400, 429]);
});
