import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { getSession, startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/auth.ts";
import { APP_NAME } from "#shared/app.ts";
import type { Changes } from "#test/support/deployment.ts";
import { mailsTo, newestCode } from "#test/support/mailbox.ts";
import { askForCode, newIp, otherThan, post, visitWith } from "#test/support/sign-in.ts";
import { newAddress, signInByMail, visit, visitor } from "#test/support/worker.ts";
import { networkOf } from "#worker/http/network-of.ts";

const INVALID = { error: "Invalid or expired code.", code: "INVALID_CODE" };

async function verify(email: string, code: string) {
  const response = await visit("/api/auth/email/verify", post({ email, code }));
  return { status: response.status, body: await response.json(), cookies: response.headers.getSetCookie() };
}

describe("signing in by a mailed code", () => {
  it("makes an account on first use and finds it again", async () => {
    const first = await signInByMail();
    expect(first.user).toMatchObject({ email: first.email, anonymous: false, credits: 5, display_name: first.email.split("@")[0] });
    const second = await signInByMail(visitor(), first.email);
    expect(second.user.id).toBe(first.user.id);
    expect((await second.take(getSession, {})).user?.email).toBe(first.email);
  });

  it("takes an address in other letters and with spaces for the same", async () => {
    const { user, email } = await signInByMail();
    const client = visitor();
    await client.take(startEmailSignIn, { body: { email: `  ${email.toUpperCase()} ` } });
    const code = (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
    const again = await client.take(verifyEmailSignIn, { body: { email: email.toUpperCase(), code: ` ${code} ` } });
    expect(again.user.id).toBe(user.id);
  });

  it("mails the code in the subject and the text, without a link, marked as automatic", async () => {
    const email = newAddress();
    const code = await askForCode(email);
    const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, email);
    expect(mail?.subject).toBe(`${code} is your ${APP_NAME} code`);
    expect(mail?.text).toContain("valid for 10 minutes");
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/https?:|href/);
    const requests = await (await fetch(`${env.MAILBOX_SIMULATOR}/control/requests`)).text();
    expect(requests).toContain('"Auto-Submitted":"auto-generated"');
  });

  it("answers the same for addresses with and without an account", async () => {
    const known = await signInByMail();
    const answers = await Promise.all(
      [known.email, newAddress()].map(async (email) => {
        const response = await visit("/api/auth/email/start", post({ email }));
        return { status: response.status, body: await response.text(), cookies: response.headers.getSetCookie() };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBe(200);
  });

  it.each(["", "nobody", "a@b", "a b@example.com", `${"x".repeat(250)}@example.com`])("refuses the address %j", async (email) => {
    const answer = await visitor().call(startEmailSignIn, { body: { email } });
    expect(answer).toMatchObject({ ok: false, status: 400, error: { code: "INVALID_INPUT" } });
  });
});

describe("a code that does not hold", () => {
  it("is refused when wrong, and the right one still works", async () => {
    const email = newAddress();
    const code = await askForCode(email);
    expect(await verify(email, otherThan(code))).toEqual({ status: 400, body: INVALID, cookies: [] });
    expect((await verify(email, code)).status).toBe(200);
  });

  it("is refused when used before", async () => {
    const email = newAddress();
    const code = await askForCode(email);
    expect((await verify(email, code)).status).toBe(200);
    expect(await verify(email, code)).toMatchObject({ status: 400, body: INVALID });
  });

  it("signs in once when two requests bring it at the same time", async () => {
    const email = newAddress();
    const code = await askForCode(email);
    const answers = await Promise.all([verify(email, code), verify(email, code)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  });

  it("is refused after ten minutes", async () => {
    const email = newAddress();
    const code = await askForCode(email);
    await env.DB.prepare("UPDATE sign_in_codes SET expires_at = ? WHERE email = ?")
      .bind(new Date(Date.now() - 1).toISOString(), email)
      .run();
    expect(await verify(email, code)).toMatchObject({ status: 400, body: INVALID });
  });

  it("lives ten minutes", async () => {
    const email = newAddress();
    const before = Date.now();
    await askForCode(email);
    const row = await env.DB.prepare("SELECT expires_at FROM sign_in_codes WHERE email = ?").bind(email).first<{ expires_at: string }>();
    const life = Date.parse(row?.expires_at ?? "") - before;
    expect(life).toBeGreaterThanOrEqual(600_000);
    expect(life).toBeLessThan(620_000);
  });

  it("is dead after five wrong tries, though then the right one comes", async () => {
    const email = newAddress();
    const code = await askForCode(email);
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await verify(email, otherThan(code))).status).toBe(400);
    expect(await verify(email, code)).toMatchObject({ status: 400, body: INVALID });
  });

  it("gets no more than five tries when they come all at once", async () => {
    const email = newAddress();
    const code = await askForCode(email);
    await Promise.all(Array.from({ length: 20 }, () => verify(email, otherThan(code))));
    const row = await env.DB.prepare("SELECT tries FROM sign_in_codes WHERE email = ?").bind(email).first<{ tries: number }>();
    expect(row?.tries).toBe(5);
    expect((await verify(email, code)).status).toBe(400);
  });

  it("is replaced by the next one", async () => {
    const email = newAddress();
    const first = await askForCode(email);
    const second = await askForCode(email);
    const replaced = first === second ? otherThan(second) : first;
    expect((await verify(email, replaced)).status).toBe(400);
    expect((await verify(email, second)).status).toBe(200);
  });

  it("opens no other address", async () => {
    const [mine, other] = [newAddress(), newAddress()];
    const code = await askForCode(mine);
    await askForCode(other);
    expect((await verify(other, code)).body).toEqual(INVALID);
    expect((await verify(newAddress(), code)).body).toEqual(INVALID);
  });

  it("is not kept where the database could be read", async () => {
    const email = newAddress();
    const code = await askForCode(email);
    const row = await env.DB.prepare("SELECT * FROM sign_in_codes WHERE email = ?").bind(email).first();
    expect(JSON.stringify({ ...row, email: "", expires_at: "" })).not.toContain(code);
  });
});

describe("the limits on codes", () => {
  it("hold for an address, whoever asks", async () => {
    const email = newAddress();
    const ask = () => visitWith({ CODES_PER_HOUR_PER_ADDRESS: "2" }, "/api/auth/email/start", post({ email }, newIp()));
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "CODE_RATE_LIMITED" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3500);
    expect(await mailsTo(env.MAILBOX_SIMULATOR, email)).toHaveLength(2);
  });

  it("hold for an IP, whatever the address, and exactly when all come at once", async () => {
    const ip = newIp();
    const ask = () => visitWith({ CODES_PER_HOUR_PER_IP: "3" }, "/api/auth/email/start", post({ email: newAddress() }, ip));
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await visitWith({ CODES_PER_HOUR_PER_IP: "3" }, "/api/auth/email/start", post({ email: newAddress() }, newIp()))).status).toBe(
      200,
    );
  });

  it("are 20 an hour unless the environment says otherwise", async () => {
    const ip = newIp();
    const limiter = env.RATE_LIMITER.getByName(`codes:ip:${networkOf(ip["cf-connecting-ip"] ?? "")}`);
    const now = Date.now();
    for (let taken = 0; taken < 20; taken += 1) await limiter.take({ limit: 20, since: now - 1, until: now + 60_000 });
    const refused = await visitWith({ CODES_PER_HOUR_PER_IP: undefined }, "/api/auth/email/start", post({ email: newAddress() }, ip));
    expect(refused.status).toBe(429);
  });
});

describe("mail that does not go out", () => {
  it("says what is missing where neither way is set up", async () => {
    const response = await visitWith(
      { RESEND_API_KEY: undefined, EMAIL: undefined },
      "/api/auth/email/start",
      post({ email: newAddress() }),
    );
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "MAIL_NOT_CONFIGURED", error: expect.stringContaining("RESEND_API_KEY") });
  });

  it("uses the platform's binding where Resend has no key", async () => {
    const sent: unknown[] = [];
    const EMAIL = {
      send: async (mail: unknown) => {
        sent.push(mail);
        return { messageId: "1" };
      },
    };
    const email = newAddress();
    const changes = { RESEND_API_KEY: undefined, EMAIL, MAIL_FROM: "Sender <hello@example.com>" };
    const response = await visitWith(changes, "/api/auth/email/start", post({ email }));
    expect(response.status).toBe(200);
    expect(sent).toEqual([
      expect.objectContaining({
        to: [email],
        from: { name: "Sender", email: "hello@example.com" },
        headers: { "Auto-Submitted": "auto-generated" },
      }),
    ]);
  });

  it.each<[string, Changes]>([
    ["refuses the key", { RESEND_API_KEY: "two words" }],
    ["does not know the address asked", { RESEND_URL: `${env.MAILBOX_SIMULATOR}/nowhere` }],
    ["cannot be reached", { RESEND_URL: "http://127.0.0.1:1" }],
  ])("is told when the service %s", async (_what, changes) => {
    const response = await visitWith(changes, "/api/auth/email/start", post({ email: newAddress() }));
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ code: "MAIL_FAILED", error: "Failed to send code" });
  });
});

describe("signing up by invitation", () => {
  it("refuses a new address without an invite, and lets an account in", async () => {
    const { email, user } = await signInByMail();
    const known = await visitWith({ SIGNUP: "invite" }, "/api/auth/email/verify", post({ email, code: await askForCode(email) }));
    expect(await known.json()).toMatchObject({ user: { id: user.id } });
    const stranger = newAddress();
    const body = { email: stranger, code: await askForCode(stranger) };
    const refused = await visitWith({ SIGNUP: "invite" }, "/api/auth/email/verify", post(body));
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: "INVITE_REQUIRED" });
    expect(refused.headers.getSetCookie()).toEqual([]);
  });
});
