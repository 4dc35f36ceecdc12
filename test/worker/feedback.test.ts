import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { FEEDBACK_LENGTH } from "#shared/limits.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { until } from "#test/support/until.ts";
import { post, visitWith } from "#test/support/sign-in.ts";
import { type Client, newAddress, signIn, visitor } from "#test/support/worker.ts";
import { feedback } from "#worker/platform/db/schema/feedback.ts";
import { feedbackMail, mailFeedback } from "#worker/doors/feedback/feedback.ts";

const db = drizzle(env.DB);
const rowsOf = (userId: string) => db.select().from(feedback).where(eq(feedback.user_id, userId)).all();

afterEach(() => {
  vi.restoreAllMocks();
});

test("feedback is kept with its author, who the body does not decide", async () => {
  const [client, other] = [await signIn(), await signIn()];
  expect(await client.take(sendFeedback, { body: { message: "  I want access to c/pro  ", userId: other.user.id } })).toEqual({
    ok: true,
  });
  expect(await rowsOf(client.user.id)).toMatchObject([{ message: "I want access to c/pro" }]);
  expect(await rowsOf(other.user.id)).toEqual([]);
});

test("feedback cannot be blank or endless", async () => {
  const client = await signIn();
  expect(await client.call(sendFeedback, { body: { message: " \n" } })).toMatchObject({
    status: 400,
    error: { error: "Write a message first." },
  });
  expect(await client.call(sendFeedback, { body: { message: "x".repeat(FEEDBACK_LENGTH + 1) } })).toMatchObject({ status: 400 });
  expect(await rowsOf(client.user.id)).toEqual([]);
});

test("feedback comes at most 20 times an hour from one person, and others go on", async () => {
  const [client, other] = [await signIn(), await signIn()];
  const answers = await Promise.all(Array.from({ length: 21 }, (_, n) => client.call(sendFeedback, { body: { message: `Message ${n}` } })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await rowsOf(client.user.id)).toHaveLength(20);
  expect((await other.call(sendFeedback, { body: { message: "Hello" } })).status).toBe(200);
});

test("feedback asks guests to sign in", async () => {
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  expect(await guest.call(sendFeedback, { body: { message: "Hello" } })).toMatchObject({ error: { code: "FEEDBACK_SIGN_IN" } });
});

test("feedback asks visitors to sign in", async () => {
  expect(await visitor().call(sendFeedback, { body: { message: "Hello" } })).toMatchObject({
    status: 401,
    error: { code: "FEEDBACK_SIGN_IN", error: "Please login to submit feedback" },
  });
});

test("feedback reaches the operator by mail, with who wrote it", async () => {
  const client = await signIn();
  const operator = newAddress();
  await mailFeedback(deploymentWith({ OPERATOR_EMAIL: operator }), db, {
    userId: client.user.id,
    message: "Bigger <buttons>",
    origin: "http://localhost",
  });
  const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, operator);
  expect(mail?.text).toContain("Bigger <buttons>");
  expect(mail?.text).toContain(client.email);
  expect(mail?.html).toContain("Bigger &lt;buttons&gt;");
});

test("feedback is not lost to its sender when the mail fails", async () => {
  const client = await signIn();
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("No connection"));
  const broken = deploymentWith({ OPERATOR_EMAIL: newAddress() });
  await expect(mailFeedback(broken, db, { userId: client.user.id, message: "Hello", origin: "http://localhost" })).resolves.toBeUndefined();
});

describe("in a deployment with no place to store it", () => {
  const NOT_SUPPORTED = { error: "Feedback is not supported in this deployment", code: "FEEDBACK_NOT_SUPPORTED" };
  const cookieOf = (client: Client) => [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  /** The database without its table for feedback, as D1 reports it. */
  const withoutTable = new Proxy(env.DB, {
    get(target, name) {
      if (name === "prepare") return (query: string) => target.prepare(query.replace('"feedback"', '"no_feedback"'));
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });

  test("where feedback cannot be stored, it is not supported without a mail to the operator either", async () => {
    const headers = { cookie: cookieOf(await signIn()) };
    for (const changes of [{ OPERATOR_EMAIL: "" }, { OPERATOR_EMAIL: newAddress(), RESEND_API_KEY: "", EMAIL: undefined }]) {
      const answer = await visitWith({ DB: withoutTable, ...changes }, "/api/feedback", post({ message: "Hello" }, headers));
      expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 503, body: NOT_SUPPORTED });
    }
  });

  test("where feedback cannot be stored, it goes by mail alone", async () => {
    const operator = newAddress();
    const init = post({ message: "By mail alone" }, { cookie: cookieOf(await signIn()) });
    const answer = await visitWith({ DB: withoutTable, OPERATOR_EMAIL: operator }, "/api/feedback", init);
    expect(answer.status).toBe(200);
    const mail = await until("the mail", async () => (await mailsTo(env.MAILBOX_SIMULATOR, operator))[0]);
    expect(mail.text).toContain("By mail alone");
  });

  test("where feedback cannot be stored and there is no database at all, it says so to whoever asks", async () => {
    const answer = await visitWith({ DB: undefined }, "/api/feedback", post({ message: "Hello" }));
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 503, body: NOT_SUPPORTED });
  });
});

test("feedback has a subject of one line, whatever the name is", () => {
  expect(feedbackMail("op@example.com", { name: "A\r\nBcc: x", email: null }, "Hi").subject).toBe("Polylogue feedback from A Bcc: x");
});
