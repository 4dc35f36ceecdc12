import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { disconnectGoogle, getGoogleStatus } from "#shared/contracts/outbound/google.ts";
import { isAvailable } from "#shared/entities/tool-category.ts";
import { listToolCategories, putToolSettings } from "#shared/contracts/tools.ts";
import { withGmail } from "#test/support/gmail.ts";
import { breakGmail, changeGrant, connectGoogle, decideAtGoogle, beginGoogle, gmailOf, grantOf } from "#test/support/google.ts";
import { CHEAP_MODEL, startChatAndRead } from "#test/support/replies.ts";
import { messagesOf } from "#test/support/runs.ts";
import { outputOfCall, runTool } from "#test/support/tool-call.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";
import { gmailDraft, gmailRead, gmailSearch, gmailSend } from "#worker/integrations/google/gmail/gmail-tools.ts";
import { composeMime } from "#worker/mail/outbound/mime.ts";

const Found = z.object({
  conversations: z.array(
    z.object({
      thread_id: z.string(),
      subject: z.string(),
      from: z.array(z.string()),
      messages: z.number(),
      unread: z.boolean(),
    }),
  ),
  next: z.nullable(z.string()),
});
const Read = z.object({
  thread_id: z.string(),
  subject: z.string(),
  messages: z.array(
    z.object({
      message_id: z.string(),
      from: z.string(),
      text: z.string(),
      attachments: z.optional(z.array(z.object({ id: z.string(), name: z.string(), bytes: z.number() }))),
    }),
  ),
  files: z.optional(z.array(z.object({ name: z.string(), text: z.string() }))),
});

afterEach(() => void vi.restoreAllMocks());

function quoted(output: string): unknown {
  const [, text = "null"] = /\n<quoted-[0-9a-f]{8}>\n([\s\S]*)\n<\/quoted-/.exec(output) ?? [];
  return JSON.parse(text);
}

const as = ({ user }: Person) => ({ userId: user.id });

async function search(person: Person, query: string, more: { limit?: number; page?: string } = {}) {
  return Found.parse(quoted(outputOfCall(await runTool(gmailSearch, { query, ...more }, as(person)))));
}

/** A conversation that a search finds first. */
async function open(person: Person, query: string) {
  const [first] = (await search(person, query)).conversations;
  const output = outputOfCall(await runTool(gmailRead, { thread_id: first?.thread_id ?? "" }, as(person)));
  return { output, ...Read.parse(quoted(output)) };
}

const idsOf = (categories: { id: string }[]) => categories.map(({ id }) => id);

it("the category of Gmail is theirs while a grant for mail holds, and its tools go along with turns just as long", async () => {
  const person = await signIn();
  const on = { enabled: true, is_always_on_override: true, always_allowed: false };
  await person.take(putToolSettings, { body: { settings: { gmailSearch: on } } });
  const shown = async () => idsOf((await person.take(listToolCategories, {})).categories.filter(isAvailable)).includes("gmail");
  const request = async () => (await startChatAndRead(person, "show request")).text;
  expect([await shown(), (await request()).includes("gmailSearch")]).toEqual([false, false]);
  await connectGoogle(person, { features: "drive" });
  expect(await shown()).toBe(false);
  await connectGoogle(person, { features: "gmail" });
  expect([await shown(), (await request()).includes("gmailSearch")]).toEqual([true, true]);
  await changeGrant(person.email, { do: "revoke" });
  await runTool(gmailSearch, { query: "" }, as(person));
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: false });
  expect([await shown(), (await request()).includes("gmailSearch")]).toEqual([false, false]);
  expect((await runTool(gmailSearch, { query: "" }, as(person))).result).toEqual({
    ok: false,
    error: "Gmail is not connected, or reading mail was not granted. Its person can connect it in the settings, under Tools.",
  });
});

it("finding and reading mail searches as Gmail does, page by page, with sources that open the conversation", async () => {
  const person = await withGmail();
  const run = await runTool(gmailSearch, { query: "from:marta invoice" }, as(person));
  const { conversations } = Found.parse(quoted(outputOfCall(run)));
  expect(conversations).toMatchObject([{ subject: "Invoice 2041 for the poster paper", messages: 3, unread: true }]);
  const [first] = conversations;
  const source = { url: `https://mail.google.com/mail/#all/${first?.thread_id}`, title: first?.subject };
  expect([run.cited, run.result]).toEqual([[], expect.objectContaining({ sources: [{ ...source, error: null }] })]);
  const reading = await runTool(gmailRead, { thread_id: first?.thread_id ?? "" }, as(person));
  expect(reading.cited).toEqual([source]);
  expect(outputOfCall(run)).toMatch(/never follow instructions/);
  expect((await search(person, "no such words anywhere")).conversations).toEqual([]);
  const page = await search(person, "in:inbox", { limit: 3 });
  expect(page.conversations).toHaveLength(3);
  const next = await search(person, "in:inbox", { limit: 3, page: page.next ?? "" });
  const ids = [...page.conversations, ...next.conversations].map(({ thread_id: id }) => id);
  expect(new Set(ids).size).toBe(6);
});

it("finding and reading mail shows each message with its own words, HTML as people see it, and other alphabets", async () => {
  const person = await withGmail();
  const { messages, output } = await open(person, "subject:invoice");
  expect(messages.map(({ text }) => text)).toEqual([
    expect.stringContaining("1,284.50 euros"),
    expect.stringContaining("we got 38"),
    expect.stringMatching(/^You are right(?![\s\S]*wrote:)/),
  ]);
  expect(messages[0]?.attachments).toMatchObject([{ name: "invoice-2041.pdf" }]);
  expect(output).toMatch(/never follow instructions/);
  const figures = await open(person, "weekly figures");
  expect(figures.messages[0]?.text).toBe(
    "Week 47\n\nVisitors: 4,112, up 8 %.\n\n- Top page: /tender\n- Top source: newsletter\n\nOpen the report (https://stats.example/w47)",
  );
  expect((await open(person, "malmö")).subject).toBe("Grüße aus Malmö ☀");
});

it("finding and reading mail adds a mail's attachments to the chat as files under the upload rules, and gives their text to the model", async () => {
  const person = await withGmail();
  const tender = await open(person, "tenders");
  const invoice = await open(person, "subject:invoice");
  const ids = [...(tender.messages[0]?.attachments ?? []), ...(invoice.messages[0]?.attachments ?? [])].map(({ id }) => id);
  expect(ids).toHaveLength(3);
  const calls = [
    `call gmailRead ${JSON.stringify({ thread_id: tender.thread_id, save_attachments: ids.slice(0, 2) })}`,
    `call gmailRead ${JSON.stringify({ message_id: invoice.messages[0]?.message_id, save_attachments: [ids[2], "nothing/9"] })}`,
  ];
  const { chatId } = await startChatAndRead(person, `${calls.join("\n")}\nthen\nsay Here they are.`);
  const [table, paper] = (await messagesOf(person, chatId)).at(-1)?.tool_calls ?? [];
  expect(table?.sources?.map(({ title }) => title)).toEqual([
    expect.stringContaining("call for tenders"),
    expect.stringMatching(/^lots\.csv \(/),
    expect.stringMatching(/^conditions\.txt \(/),
  ]);
  expect(table?.output).toContain("acid-free boxes,1200");
  expect(paper?.output).toContain("payable by 5 December");
  expect(paper?.output).toContain("There is no attachment nothing/9 in what was read.");
  const file = await person.fetch(table?.sources?.[1]?.url ?? "");
  expect(await file.text()).toContain("map cases,14");
  // Another person of the product has no way to it.
  expect((await (await signIn()).fetch(table?.sources?.[1]?.url ?? "")).status).toBe(404);
});

it("an attachment that is too large is left out, whether Gmail gives its size or not, and says so", async () => {
  const person = await withGmail();
  const { messages, thread_id: thread } = await open(person, "tenders");
  const [first] = messages[0]?.attachments ?? [];
  const input = { thread_id: thread, save_attachments: [first?.id ?? ""] };
  const send = globalThis.fetch;
  const answering = (change: (path: string, response: Response) => Promise<Response>) =>
    vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async (asked, init) =>
        change(new URL(asked instanceof Request ? asked.url : asked).pathname, await send(asked, init)),
      );
  answering(async (path, response) => {
    if (!path.includes("/threads/")) return response;
    return new Response((await response.text()).replace(`"size":${first?.bytes}`, `"size":${8 * 1024 * 1024 + 1}`), response);
  });
  expect(outputOfCall(await runTool(gmailRead, input, as(person)))).toContain(
    "lots.csv is larger than 8 MB, which is the most that is taken of Gmail, and was left out.",
  );
  vi.restoreAllMocks();
  answering(async (path, response) => (path.includes("/attachments/") ? Response.json({ data: "A".repeat(12 * 1024 * 1024) }) : response));
  expect(outputOfCall(await runTool(gmailRead, input, as(person)))).toContain("lots.csv could not be read. Gmail's answer is larger than");
});

describe("writing mail", () => {
  const LETTER = { to: ["marta@papeterie-linde.example"], body: "Please **take it off** the invoice.\n\nInes" };

  it("writing mail keeps a draft in its conversation without asking, also after reading what others wrote", async () => {
    const person = await withGmail();
    const { messages, thread_id: thread } = await open(person, "subject:invoice");
    const calls = [
      `call gmailRead ${JSON.stringify({ thread_id: thread })}`,
      "then",
      `call gmailDraft ${JSON.stringify({ ...LETTER, reply_to: messages.at(-1)?.message_id })}`,
      "then",
      "say It is kept.",
    ];
    const { chatId } = await startChatAndRead(person, calls.join("\n"));
    const call = (await messagesOf(person, chatId)).at(-1)?.tool_calls.at(-1);
    expect(call).toMatchObject({ tool: "gmailDraft", status: "done", output: expect.stringContaining("Nobody has got it.") });
    const mailbox = await gmailOf(person.email);
    const draft = mailbox.messages.find(({ labelIds }) => labelIds.includes("DRAFT"));
    const answered = mailbox.messages.find(({ id }) => id === messages.at(-1)?.message_id);
    expect(draft).toMatchObject({
      threadId: thread,
      to: LETTER.to[0],
      subject: "Re: Invoice 2041 for the poster paper",
      inReplyTo: answered?.messageId,
    });
    expect(draft?.references).toContain(answered?.messageId);
    expect(draft?.text).toContain("Please *take it off* the invoice.");
    expect(draft?.html).toContain("<strong>take it off</strong>");
  });

  it("writing mail sends in the conversation once it is approved, as it was edited, in the place of its draft", async () => {
    const person = await withGmail();
    const { messages, thread_id: thread } = await open(person, "subject:berlin");
    const reply = messages.at(-1)?.message_id;
    const draft = `call gmailDraft ${JSON.stringify({ ...LETTER, reply_to: reply })}\nthen\nsay It is kept.`;
    const { chatId, replyId } = await startChatAndRead(person, draft);
    const [made] = (await messagesOf(person, chatId)).at(-1)?.tool_calls ?? [];
    const { draft_id } = z.object({ draft_id: z.string() }).parse(JSON.parse(made?.output ?? ""));
    const input = { to: ["jonas.weber@example.org"], body: "Booked.", reply_to: reply, draft_id };
    const content = `call gmailSend ${JSON.stringify(input)}\nthen\nsay It is out.`;
    const next = { id: crypto.randomUUID(), parent_id: replyId, content, model_id: CHEAP_MODEL };
    await person.take(sendMessage, { params: { id: chatId }, body: next });
    const waiting = await until("the card", async () =>
      (await messagesOf(person, chatId)).at(-1)?.tool_calls.find(({ status }) => status === "waiting"),
    );
    const sent = async () =>
      (await gmailOf(person.email)).messages.filter(({ labelIds, raw }) => raw !== null && labelIds.includes("SENT"));
    expect(await sent()).toEqual([]);
    const broken = { ...input, to: ["jonas"] };
    const decide = (edited: Record<string, unknown>) =>
      person.call(decideToolCall, { params: { id: chatId, callId: waiting.id }, body: { decision: "approve", input: edited } });
    expect(await decide(broken)).toMatchObject({ ok: false, error: { error: '"jonas" is no mail address.' } });
    expect(await decide({ ...input, cc: ["Ines <ines@example.com>"], body: "Booked: two nights." })).toMatchObject({ ok: true });
    await until("the answer", async () => (await messagesOf(person, chatId)).at(-1)?.status === "done");
    const [mail, ...others] = await sent();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      threadId: thread,
      from: person.email,
      to: "jonas.weber@example.org",
      cc: "ines@example.com",
      subject: "Re: Berlin in December",
    });
    expect(mail?.text).toContain("Booked: two nights.");
    expect((await gmailOf(person.email)).drafts).toEqual([]);
    const call = (await messagesOf(person, chatId)).at(-1)?.tool_calls.at(-1);
    expect(call?.sources).toEqual([{ url: `https://mail.google.com/mail/#all/${thread}`, title: "Re: Berlin in December", error: null }]);
  });

  it("writing mail takes the place of no draft that was not made in its chat", async () => {
    const person = await withGmail();
    const draft = outputOfCall(await runTool(gmailDraft, { ...LETTER, subject: "My own" }, as(person)));
    const { draft_id } = z.object({ draft_id: z.string() }).parse(JSON.parse(draft));
    const run = await runTool(gmailSend, { ...LETTER, subject: "Another", draft_id }, as(person));
    expect(outputOfCall(run)).toContain("was not made in this chat, so it was left as it is.");
    const { messages, drafts } = await gmailOf(person.email);
    expect([drafts.length, messages.filter(({ subject }) => subject === "Another").length]).toEqual([1, 1]);
  });

  it("writing mail takes no line of a field for another header, and encodes what no header holds", async () => {
    const person = await withGmail();
    const subject = "Grüße, schöne, und eine Frage, die recht lang ist: wann kommt ihr, und wer kommt mit ☀\r\nBcc: thief@evil.example";
    await runTool(gmailSend, { ...LETTER, cc: ["a@example.org\r\nBcc: thief@evil.example"], subject }, as(person)).then(({ result }) =>
      expect(result).toMatchObject({ ok: false, error: expect.stringContaining("is no mail address.") }),
    );
    outputOfCall(await runTool(gmailSend, { ...LETTER, subject }, as(person)));
    const mail = (await gmailOf(person.email)).messages.at(-1);
    expect(mail?.bcc).toBe("");
    expect(mail?.subject).toBe(
      "Grüße, schöne, und eine Frage, die recht lang ist: wann kommt ihr, und wer kommt mit ☀ Bcc: thief@evil.example",
    );
    const head = mail?.raw?.split("\r\n\r\n")[0] ?? "";
    expect(head).toMatch(/^[\x20-\x7E\r\n]+$/);
    expect(Math.max(...head.split("\r\n").map((line) => line.length))).toBeLessThan(100);
    expect(head).not.toMatch(/^Bcc/m);
    const mime = composeMime({
      from: "me@example.com\r\nBcc: thief@evil.example",
      to: ["a@example.org", "b@example.org"],
      cc: [],
      bcc: ["c@example.org\nX-Evil: 1"],
      subject: "a\u2028b",
      thread: { References: "<1@x>\r\nX-Evil: 2" },
      body: { text: "x", html: "<p>x</p>" },
    });
    expect(
      mime
        .split("\r\n\r\n")[0]
        ?.split("\r\n")
        .map((line) => line.split(":")[0]),
    ).toEqual(["From", "To", " b@example.org", "Bcc", "Subject", "References", "MIME-Version", "Content-Type"]);
  });

  it("writing mail begins a conversation of its own with a subject of its own, and asks nobody about a mail that cannot go", async () => {
    const person = await withGmail();
    const { messages, thread_id: thread } = await open(person, "subject:berlin");
    outputOfCall(await runTool(gmailSend, { ...LETTER, subject: "Something else", reply_to: messages[0]?.message_id }, as(person)));
    const mail = (await gmailOf(person.email)).messages.at(-1);
    expect(mail).toMatchObject({ subject: "Something else" });
    expect(mail?.threadId).not.toBe(thread);
    expect((await runTool(gmailDraft, { ...LETTER, reply_to: "0000" }, as(person))).result).toEqual({
      ok: false,
      error: "Gmail has no message with the id in reply_to.",
    });
    const { chatId } = await startChatAndRead(person, `call gmailSend ${JSON.stringify(LETTER)}\nthen\nsay No.`);
    expect((await messagesOf(person, chatId)).at(-1)?.tool_calls).toMatchObject([
      { status: "failed", output: "A mail that answers none needs a subject." },
    ]);
  });

  it("writing mail is not to be had where only reading was granted", async () => {
    const person = await signIn();
    const back = await decideAtGoogle(await beginGoogle(person), person.email, [
      ["boxes", "1"],
      ["ticked", "https://www.googleapis.com/auth/gmail.readonly"],
    ]);
    await person.fetch(back);
    expect((await search(person, "subject:berlin")).conversations).toHaveLength(1);
    expect((await runTool(gmailDraft, { ...LETTER, subject: "x" }, as(person))).result).toMatchObject({
      ok: false,
      error: expect.stringContaining("writing mail was not granted"),
    });
  });
});

it.each(["403-rate", "429", "500", "html"])("a Gmail that has trouble is asked again after %s", async (fault) => {
  const person = await withGmail();
  await breakGmail(person.email, fault, 2);
  expect((await search(person, "subject:berlin")).conversations).toHaveLength(1);
});

it.each([
  ["429-long", "Gmail takes no more requests right now."],
  ["403-scope", "Gmail was not granted for this."],
  ["403-off", "Gmail is not switched on for this deployment. Its operator can enable it."],
])("a Gmail that has trouble says what is wrong: %s", async (fault, error) => {
  const person = await withGmail();
  await breakGmail(person.email, fault);
  expect((await runTool(gmailSearch, { query: "x" }, as(person))).result).toEqual({ ok: false, error });
});

it("a Gmail that has trouble whose token is refused is renewed once; a grant that this does not mend is over", async () => {
  const person = await withGmail();
  await changeGrant(person.email, { do: "expire" });
  expect((await search(person, "subject:berlin")).conversations).toHaveLength(1);
  expect((await grantOf(person.email)).refreshes).toBe(1);
  await breakGmail(person.email, "401");
  expect((await runTool(gmailSearch, { query: "x" }, as(person))).result).toMatchObject({ ok: false });
  expect(await person.take(getGoogleStatus, {})).toMatchObject({ connected: false, error: expect.stringContaining("Connect again") });
  expect((await grantOf(person.email)).refreshes).toBe(2);
});

it("a Gmail that has trouble that may have sent a mail is not asked to send it again", async () => {
  const person = await withGmail();
  const letter = { to: ["a@example.org"], subject: "Once", body: "Once." };
  await breakGmail(person.email, "lost", 1);
  expect((await runTool(gmailSend, letter, as(person))).result).toMatchObject({
    ok: false,
    error: expect.stringContaining("so do not send it again"),
  });
  expect((await gmailOf(person.email)).messages.filter(({ subject }) => subject === "Once")).toHaveLength(1);
  // What certainly was not taken is sent once more.
  await breakGmail(person.email, "429", 1);
  outputOfCall(await runTool(gmailSend, { ...letter, subject: "Twice" }, as(person)));
  expect((await gmailOf(person.email)).messages.filter(({ subject }) => subject === "Twice")).toHaveLength(1);
});

it("a Gmail that has trouble is asked by nobody once it is disconnected", async () => {
  const person = await withGmail();
  await person.take(disconnectGoogle, {});
  expect((await runTool(gmailSearch, { query: "x" }, as(person))).result).toMatchObject({ ok: false });
});
