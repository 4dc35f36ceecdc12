import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { threadsOf } from "./mailbox/mailbox-page.ts";
import { startMailbox, type MailboxSimulator } from "./mailbox/server.ts";

let mailbox: MailboxSimulator;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.close());
beforeEach(async () => {
  await fetch(`${mailbox.url}/dev/mailbox`, { method: "DELETE" });
});

const mail = {
  from: "Polylogue <hello@polylogue.localhost>",
  to: ["ada@example.org"],
  subject: "482913 is your code",
  text: "Your code is 482913.",
};
const Sent = z.object({ id: z.uuid() });

async function send(body: unknown, headers: Record<string, string> = {}, path = "/emails"): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${mailbox.url}${path}`, {
    method: "POST",
    headers: { Authorization: "Bearer re_test", "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function list(query = ""): Promise<unknown> {
  return (await fetch(`${mailbox.url}/dev/mailbox${query}`, { headers: { Accept: "application/json" } })).json();
}

test("a sent mail is in the mailbox, newest first, with exactly the documented fields", async () => {
  expect(Sent.safeParse((await send(mail)).body).success).toBe(true);
  await send({ ...mail, to: "Bob <bob@example.org>", subject: "Second", text: undefined, html: "<p>Hi</p>" });
  const mails = await list();
  const plain = { cc: [], reply_to: [], headers: {}, attachments: [], message_id: expect.stringMatching(/^<.+@mailbox\.localhost>$/) };
  const second = { to: ["Bob <bob@example.org>"], from: mail.from, subject: "Second", text: "", html: "<p>Hi</p>" };
  expect(mails).toEqual([
    { ...second, ...plain, at: expect.stringMatching(/Z$/) },
    { ...mail, ...plain, html: "", at: expect.any(String) },
  ]);
  expect(await list("?to=bob@example.org")).toHaveLength(1);
  expect(await list("?to=nobody@example.org")).toEqual([]);
});

test("the page shows the text and the code, and escapes everything", async () => {
  const hostile = `<img src=x onerror=alert(1)>"'`;
  await send({
    ...mail,
    from: `${hostile.replace(/[<>@]/g, "")} <a@b.c>`,
    subject: `${hostile} 482913`,
    text: hostile,
    html: `<script>alert(1)</script>"`,
  });
  const page = await (await fetch(`${mailbox.url}/dev/mailbox`, { headers: { Accept: "text/html" } })).text();
  expect(page).not.toContain("<img");
  expect(page).not.toContain("<script");
  expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;");
  expect(page).toContain('<b class="code">482913</b>');
  expect(page).toContain('sandbox=""');
});

test("answers stand in the thread of what they answer, with their headers, copies and files", async () => {
  await send(mail);
  await send({ ...mail, subject: "Unrelated" });
  const [, first] = mailbox.mails();
  const headers = { "In-Reply-To": first?.messageId ?? "", "Auto-Submitted": "auto-replied" };
  const attachments = [{ filename: "a<b>.txt", content: "aGVsbG8=", content_type: "text/plain" }];
  await send({ ...mail, subject: "Re: code", cc: ["bob@example.org"], reply_to: "chat@mail.example", headers, attachments });
  expect(await list("?to=bob@example.org")).toMatchObject([{ cc: ["bob@example.org"], reply_to: ["chat@mail.example"], headers }]);
  expect(threadsOf(mailbox.mails()).map((thread) => thread.map(({ subject }) => subject))).toEqual([
    ["Re: code", mail.subject],
    ["Unrelated"],
  ]);
  const page = await (await fetch(`${mailbox.url}/dev/mailbox`, { headers: { Accept: "text/html" } })).text();
  for (const part of ["A thread of 2 mails", "a&lt;b&gt;.txt (5 bytes)", "chat@mail.example", "auto-replied"]) expect(page).toContain(part);
});

test.each([
  [{ ...mail, from: undefined }, "missing_required_field"],
  [{ ...mail, to: undefined }, "missing_required_field"],
  [{ ...mail, subject: "" }, "missing_required_field"],
  [{ ...mail, from: "nobody" }, "invalid_from_address"],
  [{ ...mail, to: ["not an address"] }, "validation_error"],
  [{ ...mail, to: Array.from({ length: 51 }, (_, index) => `a${index}@example.org`) }, "validation_error"],
  [{ ...mail, text: undefined }, "validation_error"],
])("an invalid mail is refused and not kept", async (body, name) => {
  expect(await send(body)).toMatchObject({ status: 422, body: { statusCode: 422, name, message: expect.any(String) } });
  expect(await list()).toEqual([]);
});

test("an idempotency key sends once, and refuses another payload", async () => {
  const headers = { "Idempotency-Key": "mail-1" };
  const first = await send(mail, headers);
  expect(await send(mail, headers)).toEqual(first);
  expect(await list()).toHaveLength(1);
  expect(await send({ ...mail, subject: "Other" }, headers)).toMatchObject({ status: 409, body: { name: "invalid_idempotent_request" } });
  expect(await send(mail, { "Idempotency-Key": "x".repeat(257) })).toMatchObject({
    status: 400,
    body: { name: "invalid_idempotency_key" },
  });
});

test("a batch is sent whole or not at all, and each mail can be read again", async () => {
  const { body } = await send([mail, { ...mail, to: "bob@example.org" }], {}, "/emails/batch");
  const { data } = z.object({ data: z.array(Sent).length(2) }).parse(body);
  const one = await fetch(`${mailbox.url}/emails/${data[1]?.id}`, { headers: { Authorization: "Bearer re_test" } });
  expect(await one.json()).toMatchObject({ id: data[1]?.id, to: ["bob@example.org"], last_event: "delivered" });
  expect(await send([mail, { ...mail, from: "x" }], {}, "/emails/batch")).toMatchObject({ status: 422 });
  expect(await list()).toHaveLength(2);
});

test("a caller without a key, and one without a name, are refused", async () => {
  expect(await send(mail, { Authorization: "" })).toMatchObject({ status: 401, body: { name: "missing_api_key" } });
  expect(await send(mail, { "User-Agent": "" })).toMatchObject({ status: 403 });
});

test("control makes sending fail for a number of times", async () => {
  await fetch(`${mailbox.url}/control`, { method: "POST", body: JSON.stringify({ fault: "429", times: 1 }) });
  expect(await send(mail)).toMatchObject({ status: 429, body: { name: "rate_limit_exceeded" } });
  expect(await send(mail)).toMatchObject({ status: 200 });
});

test("the newest 500 mails are kept", async () => {
  for (let batch = 0; batch < 6; batch += 1) {
    await send(
      Array.from({ length: 100 }, (_, index) => ({ ...mail, subject: `${batch * 100 + index}` })),
      {},
      "/emails/batch",
    );
  }
  expect(mailbox.mails()).toHaveLength(500);
  expect(mailbox.mails()[0]?.subject).toBe("599");
});
