import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { getSession, signInByLink, startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import { APP_NAME } from "#shared/app.ts";
import type { Changes } from "#test/support/deployment.ts";
import { mailsTo, newestCode } from "#test/support/mailbox.ts";
import { askForCode, cookiesOf, newestToken, newIp, wrongCode, post, visitWith } from "#test/support/sign-in.ts";
import { type Client, newAddress, signInByMail, visit, visitor } from "#test/support/worker.ts";
import { networkOf } from "#worker/platform/requests/network-of.ts";
import { RateLimiter } from "#worker/platform/rate-limiter/rate-limiter.ts";

const INVALID = { error: "Invalid or expired code.", code: "INVALID_CODE" };

afterEach(() => vi.restoreAllMocks());

async function verify(browser: Client, email: string, code: string) {
  const response = await visit("/api/auth/email/verify", post({ email, code }, cookiesOf(browser)));
  return { status: response.status, body: await response.json(), cookies: response.headers.getSetCookie() };
}

it("signing in by a mailed code makes an account on first use and finds it again", async () => {
  const first = await signInByMail();
  expect(first.user).toMatchObject({ email: first.email, anonymous: false, credits: 5, display_name: first.email.split("@")[0] });
  const second = await signInByMail(visitor(), first.email);
  expect(second.user.id).toBe(first.user.id);
  expect((await second.take(getSession, {})).user?.email).toBe(first.email);
});

it("signing in by a mailed code succeeds although the try that was counted cannot be given back, as the code is used up by then", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const back = vi.spyOn(RateLimiter.prototype, "uncount").mockRejectedValue(new Error("out of reach"));
  const { user, email } = await signInByMail();
  expect(user).toMatchObject({ email });
  expect(back).toHaveBeenCalled();
});

it("signing in by a mailed code takes an address in other letters and with spaces for the same", async () => {
  const { user, email } = await signInByMail();
  const client = visitor();
  await client.take(startEmailSignIn, { body: { email: `  ${email.toUpperCase()} ` } });
  const code = (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
  const again = await client.take(verifyEmailSignIn, { body: { email: email.toUpperCase(), code: ` ${code} ` } });
  expect(again.user.id).toBe(user.id);
});

it("signing in by a mailed code mails the code in the subject and the text, with one link to this site, marked as automatic", async () => {
  const email = newAddress();
  const code = await askForCode(visitor(), email);
  const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, email);
  expect(mail?.subject).toBe(`${code} is your ${APP_NAME} code`);
  expect(mail?.text).toContain("valid for 10 minutes");
  for (const body of [mail?.text, mail?.html]) {
    expect(body?.match(/https?:[^\s"]+/g)).toEqual([
      expect.stringMatching(/^http:\/\/localhost\/auth#token=[\w-]{43}\.[^&]+%40example\.com$/),
    ]);
  }
  const requests = await (await fetch(`${env.MAILBOX_SIMULATOR}/control/requests`)).text();
  expect(requests).toContain('"Auto-Submitted":"auto-generated"');
});

it("signing in by a mailed code answers the same for addresses with and without an account", async () => {
  const known = await signInByMail();
  const answers = await Promise.all(
    [known.email, newAddress()].map(async (email) => {
      const response = await visit("/api/auth/email/start", post({ email }));
      const cookies = response.headers.getSetCookie().map((line) => line.replace(/=[\w-]{43};/, "=SECRET;"));
      return { status: response.status, body: await response.text(), cookies };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.cookies).toEqual([expect.stringMatching(/^polylogue-browser=SECRET; .*HttpOnly; SameSite=Lax$/)]);
  expect(answers[0]?.status).toBe(200);
});

it.each(["", "nobody", "a@b", "a b@example.com", `${"x".repeat(250)}@example.com`])(
  "signing in by a mailed code refuses the address %j",
  async (email) => {
    const answer = await visitor().call(startEmailSignIn, { body: { email } });
    expect(answer).toMatchObject({ ok: false, status: 400, error: { code: "INVALID_INPUT" } });
  },
);

it("a code that does not hold is refused when wrong, and the right one still works", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const code = await askForCode(browser, email);
  expect(await verify(browser, email, wrongCode(code))).toEqual({ status: 400, body: INVALID, cookies: [] });
  expect((await verify(browser, email, code)).status).toBe(200);
});

it("a code that does not hold is refused when used before", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const code = await askForCode(browser, email);
  expect((await verify(browser, email, code)).status).toBe(200);
  expect(await verify(browser, email, code)).toMatchObject({ status: 400, body: INVALID });
});

it("a code that does not hold signs in once when two requests bring it at the same time", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const code = await askForCode(browser, email);
  const answers = await Promise.all([verify(browser, email, code), verify(browser, email, code)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
});

it("a code that does not hold is refused after ten minutes", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const code = await askForCode(browser, email);
  await env.DB.prepare("UPDATE sign_in_codes SET expires_at = ? WHERE email = ?")
    .bind(new Date(Date.now() - 1).toISOString(), email)
    .run();
  expect(await verify(browser, email, code)).toMatchObject({ status: 400, body: INVALID });
});

it("a code that does not hold lives ten minutes", async () => {
  const email = newAddress();
  const before = Date.now();
  await askForCode(visitor(), email);
  const row = await env.DB.prepare("SELECT expires_at FROM sign_in_codes WHERE email = ?").bind(email).first<{ expires_at: string }>();
  const life = Date.parse(row?.expires_at ?? "") - before;
  expect(life).toBeGreaterThanOrEqual(600_000);
  expect(life).toBeLessThan(620_000);
});

it("a code that does not hold is dead after five wrong tries, though then the right one comes", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const code = await askForCode(browser, email);
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await verify(browser, email, wrongCode(code))).status).toBe(400);
  expect(await verify(browser, email, code)).toMatchObject({ status: 400, body: INVALID });
});

it("a code that does not hold gets no more than five tries when they come all at once", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const code = await askForCode(browser, email);
  await Promise.all(Array.from({ length: 20 }, () => verify(browser, email, wrongCode(code))));
  const row = await env.DB.prepare("SELECT tries FROM sign_in_codes WHERE email = ?").bind(email).first<{ tries: number }>();
  expect(row?.tries).toBe(5);
  expect((await verify(browser, email, code)).status).toBe(400);
});

it("a code that does not hold is replaced by the next one", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const first = await askForCode(browser, email);
  const second = await askForCode(browser, email);
  const replaced = first === second ? wrongCode(second) : first;
  expect((await verify(browser, email, replaced)).status).toBe(400);
  expect((await verify(browser, email, second)).status).toBe(200);
});

it("a code that does not hold opens no other address", async () => {
  const [browser, mine, other] = [visitor(), newAddress(), newAddress()];
  const code = await askForCode(browser, mine);
  await askForCode(browser, other);
  expect((await verify(browser, other, code)).body).toEqual(INVALID);
  expect((await verify(browser, newAddress(), code)).body).toEqual(INVALID);
});

it("a code that does not hold is not kept where the database could be read", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const code = await askForCode(browser, email);
  const row = await env.DB.prepare("SELECT * FROM sign_in_codes WHERE email = ?").bind(email).first();
  expect(JSON.stringify({ ...row, email: "", expires_at: "" })).not.toContain(code);
});

it("a code of another browser is no business of a stranger's: their wrong tries burn nothing, and the code opens nothing there", async () => {
  const [victim, stranger, email] = [visitor(), visitor(), newAddress()];
  const code = await askForCode(victim, email);
  const theirs = await askForCode(stranger, email);
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await verify(stranger, email, wrongCode(theirs))).status).toBe(400);
  for (let attempt = 0; attempt < 5; attempt += 1) expect((await verify(visitor(), email, wrongCode(code))).status).toBe(400);
  const notTheirs = code === theirs ? wrongCode(code) : code;
  expect((await verify(stranger, email, notTheirs)).status).toBe(400);
  expect((await verify(visitor(), email, code)).status).toBe(400);
  expect((await verify(victim, email, code)).status).toBe(200);
});

describe("the link of a sign-in mail", () => {
  const open = (token: string, browser = visitor()) => browser.call(signInByLink, { body: { token } });

  it("the link of a sign-in mail signs in to a browser that asked for nothing, once, and uses the code up", async () => {
    const [asked, email] = [visitor(), newAddress()];
    const code = await askForCode(asked, email);
    const token = await newestToken(email);
    const other = visitor();
    expect(await open(token, other)).toMatchObject({ ok: true, body: { user: { email } } });
    expect((await other.take(getSession, {})).user?.email).toBe(email);
    expect(await open(token)).toMatchObject({ ok: false, status: 400, error: { code: "INVALID_LINK" } });
    expect((await verify(asked, email, code)).status).toBe(400);
  });

  it("the link of a sign-in mail is dead once its code was used, or another was asked for there, and stays alive beside wrong codes", async () => {
    const [browser, email] = [visitor(), newAddress()];
    const code = await askForCode(browser, email);
    const first = await newestToken(email);
    expect((await verify(browser, email, code)).status).toBe(200);
    const again = await askForCode(browser, email);
    const second = await newestToken(email);
    await askForCode(browser, email);
    for (const token of [first, second]) expect(await open(token)).toMatchObject({ ok: false, error: { code: "INVALID_LINK" } });
    for (let attempt = 0; attempt < 6; attempt += 1) await verify(browser, email, again === "000000" ? "000001" : "000000");
    expect(await open(await newestToken(email))).toMatchObject({ ok: true });
  });

  it("the link of a sign-in mail holds for its own address alone, and for ten minutes", async () => {
    const [email, other] = [newAddress(), newAddress()];
    await askForCode(visitor(), email);
    const token = await newestToken(email);
    expect(token.endsWith(`.${email}`)).toBe(true);
    expect(await open(token.replace(email, other))).toMatchObject({ ok: false, error: { code: "INVALID_LINK" } });
    await env.DB.prepare("UPDATE sign_in_codes SET expires_at = ? WHERE email = ?")
      .bind(new Date(Date.now() - 1).toISOString(), email)
      .run();
    expect(await open(token)).toMatchObject({ ok: false, error: { code: "INVALID_LINK" } });
  });

  it("the link of a sign-in mail signs in once when two browsers bring it at the same time", async () => {
    const email = newAddress();
    await askForCode(visitor(), email);
    const token = await newestToken(email);
    const answers = await Promise.all([open(token), open(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it("the link of a sign-in mail leads back to where its person was, on this site alone, and is not kept where the database could be read", async () => {
    const returned = async (returnUrl: string) => {
      const email = newAddress();
      await visitor().take(startEmailSignIn, { body: { email, returnUrl } });
      const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, email);
      return new URL(/https?:\S+/.exec(mail?.text ?? "")?.[0] ?? "").searchParams.get("returnUrl");
    };
    expect(await returned("/c/one?at=two&three")).toBe("/c/one?at=two&three");
    for (const evil of ["https://evil.example/", "//evil.example/", `/${"x".repeat(2_000)}`]) expect(await returned(evil)).toBeNull();
    const email = newAddress();
    await askForCode(visitor(), email);
    const [secret = ""] = (await newestToken(email)).split(".");
    const row = await env.DB.prepare("SELECT * FROM sign_in_codes WHERE email = ?").bind(email).first();
    expect(JSON.stringify(row)).not.toContain(secret);
  });
});

it("the limits on codes hold for a browser, whatever its line", async () => {
  const browser = visitor();
  await askForCode(browser, newAddress());
  const ask = () =>
    visitWith(
      { CODES_PER_HOUR_PER_BROWSER: "3" },
      "/api/auth/email/start",
      post({ email: newAddress() }, { ...newIp(), ...cookiesOf(browser) }),
    );
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "CODE_RATE_LIMITED" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3500);
});

it("the limits on codes lock no address, however often strangers ask for its codes", async () => {
  const email = newAddress();
  const ask = (headers: Record<string, string>) =>
    visitWith({ CODES_PER_HOUR_PER_BROWSER: "2", CODES_PER_HOUR_PER_IP: "2" }, "/api/auth/email/start", post({ email }, headers));
  const strangers = [newIp(), newIp()];
  for (const stranger of [...strangers, ...strangers]) expect((await ask(stranger)).status).toBe(200);
  for (const stranger of strangers) expect((await ask(stranger)).status).toBe(429);
  expect((await ask(newIp())).status).toBe(200);
});

it("the limits on codes hold for an IP, whatever the address, and exactly when all come at once", async () => {
  const ip = newIp();
  const ask = () => visitWith({ CODES_PER_HOUR_PER_IP: "3" }, "/api/auth/email/start", post({ email: newAddress() }, ip));
  const answers = await Promise.all(Array.from({ length: 8 }, ask));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect((await visitWith({ CODES_PER_HOUR_PER_IP: "3" }, "/api/auth/email/start", post({ email: newAddress() }, newIp()))).status).toBe(
    200,
  );
});

it("the limits on codes hold for wrong codes by browser and by line, and leave right ones uncounted", async () => {
  const line = newIp();
  const limited = { CODES_PER_HOUR_PER_BROWSER: "3", CODES_PER_HOUR_PER_IP: "5" };
  const tryCode = (browser: Client, email: string, code: string, ip = line) =>
    visitWith(limited, "/api/auth/email/verify", post({ email, code }, { ...ip, ...cookiesOf(browser) }));
  const [browser, email] = [visitor(), newAddress()];
  for (let time = 0; time < 4; time += 1) {
    expect((await tryCode(browser, email, await askForCode(browser, email))).status).toBe(200);
  }
  const code = await askForCode(browser, email);
  const wrong = await Promise.all(Array.from({ length: 6 }, () => tryCode(browser, email, wrongCode(code))));
  expect([400, 429].map((status) => wrong.filter((answer) => answer.status === status).length)).toEqual([3, 3]);
  const refused = await tryCode(browser, email, code);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: "CODE_TRIES_LIMITED", error: expect.stringContaining("link in the mail") });

  const [other, address] = [visitor(), newAddress()];
  const right = await askForCode(other, address);
  const theirs = await Promise.all(Array.from({ length: 3 }, () => tryCode(other, address, wrongCode(right))));
  expect(theirs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([400, 400, 429]);
  const next = visitor();
  const nextCode = await askForCode(next, address);
  expect((await tryCode(next, address, nextCode)).status).toBe(429);
  expect((await tryCode(next, address, nextCode, newIp())).status).toBe(200);
});

it("the limits on codes are 20 an hour unless the environment says otherwise", async () => {
  const ip = newIp();
  const limiter = env.RATE_LIMITER.getByName(`codes:ip:${networkOf(ip["cf-connecting-ip"] ?? "")}`);
  const now = Date.now();
  for (let taken = 0; taken < 20; taken += 1) await limiter.take({ limit: 20, since: now - 1, until: now + 60_000 });
  const refused = await visitWith({ CODES_PER_HOUR_PER_IP: undefined }, "/api/auth/email/start", post({ email: newAddress() }, ip));
  expect(refused.status).toBe(429);
});

it("mail that does not go out says what is missing where neither way is set up", async () => {
  const response = await visitWith({ RESEND_API_KEY: undefined, EMAIL: undefined }, "/api/auth/email/start", post({ email: newAddress() }));
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "MAIL_NOT_CONFIGURED", error: expect.stringContaining("RESEND_API_KEY") });
});

it("mail that does not go out uses the platform's binding where Resend has no key", async () => {
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
])("mail that does not go out is reported when the service %s", async (_what, changes) => {
  const response = await visitWith(changes, "/api/auth/email/start", post({ email: newAddress() }));
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({ code: "MAIL_FAILED", error: "Failed to send code" });
});
