import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { decideSender, getMail, listMails, sendMail } from "#shared/contracts/chat/mails.ts";
import { listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { listToolCategories, putToolSettings } from "#shared/contracts/tools.ts";
import type { Mail } from "#shared/entities/mail.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { addressOfChat, deliver } from "#test/support/incoming.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { CHEAP_MODEL, startChat } from "#test/support/replies.ts";
import { share } from "#test/support/shared-chat.ts";
import { outputOfCall, runTool } from "#test/support/tool-call.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { suppress } from "#worker/people/suppressions/suppressions.ts";
import { listEmails } from "#worker/conversation/tools/list-emails.ts";
import { sendEmail } from "#worker/conversation/tools/send-email.ts";
import { TOOLS } from "#worker/tools.ts";
import { availableCategories } from "#worker/conversation/tools/available-categories.ts";
import { deploymentWith } from "#test/support/deployment.ts";

const inbox = (address: string) => mailsTo(env.MAILBOX_SIMULATOR, address);

async function writer(settings: { always_allowed?: boolean } = {}): Promise<Person> {
  const person = await signIn();
  const on = { enabled: true, is_always_on_override: true, ...settings };
  await person.take(putToolSettings, { body: { settings: { sendEmail: on, listEmails: on } } });
  return person;
}

const letterTo = (to: string[], more: Record<string, unknown> = {}) => ({
  to,
  subject: "Invoice 2026-031",
  body: "Dear Marta,\n\nall **good**.\n\nLena",
  ...more,
});

async function callOf(person: Person, chatId: string): Promise<ToolCall | undefined> {
  const { messages } = await person.take(listMessages, { params: { id: chatId } });
  return messages.flatMap(({ tool_calls: calls }) => calls).findLast(({ tool }) => tool === "sendEmail");
}

/** A chat in which the model wants to send this letter, once it is in this state. */
async function wanted(person: Person, input: object, status: ToolCall["status"] = "waiting") {
  const { chatId } = await startChat(person, `call sendEmail ${JSON.stringify(input)}\nthen\nsay Done.`);
  const call = await until(`a call that is ${status}`, async () => {
    const found = await callOf(person, chatId);
    return found?.status === status ? found : null;
  });
  return { chatId, call };
}

const decide = (
  person: Person,
  { chatId, call }: { chatId: string; call: ToolCall },
  body: { decision: "approve" | "discard" | "always"; input?: Record<string, unknown> },
) => person.take(decideToolCall, { params: { id: chatId, callId: call.id }, body });

/** Sends the chat's next message, once its last reply has settled. */
async function say(person: Person, chatId: string, content: string): Promise<void> {
  const last = await until("the reply to settle", async () => {
    const { messages } = await person.take(listMessages, { params: { id: chatId } });
    return messages.at(-1)?.status === "done" ? messages.at(-1) : null;
  });
  await person.take(sendMessage, {
    params: { id: chatId },
    body: { id: crypto.randomUUID(), parent_id: last.id, content, model_id: CHEAP_MODEL },
  });
}

const settled = (person: Person, chatId: string) =>
  until("the call to end", async () => {
    const call = await callOf(person, chatId);
    return call && !["running", "waiting"].includes(call.status) ? call : null;
  });

const mailsOf = async (person: Person, id: string): Promise<Mail[]> => (await person.take(listMails, { params: { id } })).emails;

it("sendEmail keeps a draft, asks, and sends what the person made of it from the chat's address", async () => {
  const person = await writer();
  const [to, edited] = [newAddress(), newAddress()];
  const asked = await wanted(person, letterTo([to], { cc: [newAddress()] }));
  expect(asked.call.approval).toMatchObject({ decision: null, isNewRecipient: true });
  expect(await mailsOf(person, asked.chatId)).toMatchObject([{ id: asked.call.id, state: "draft", to_addr: [to], direction: "out" }]);
  expect(await inbox(to)).toEqual([]);
  const input = letterTo([`Marta <${edited.toUpperCase()}>`], { subject: "Changed" });
  await decide(person, asked, { decision: "approve", input });
  expect(await settled(person, asked.chatId)).toMatchObject({ status: "done", output: expect.stringContaining(asked.call.id) });
  const { address } = await person.take(listMails, { params: { id: asked.chatId } });
  const [letter, ...more] = await inbox(edited);
  expect([more, await inbox(to)]).toEqual([[], []]);
  expect(letter).toMatchObject({
    to: [edited],
    cc: [],
    subject: "Changed",
    reply_to: [address],
    text: "Dear Marta,\n\nall *good*.\n\nLena\n",
  });
  expect(letter?.headers).toEqual({ "Auto-Submitted": "auto-generated" });
  expect(await mailsOf(person, asked.chatId)).toMatchObject([{ state: "sent", to_addr: [edited], from_addr: address, subject: "Changed" }]);
});

it("sendEmail leaves what is discarded, and what its reply was stopped with, as a draft that can be sent by hand", async () => {
  const person = await writer();
  const to = newAddress();
  const asked = await wanted(person, letterTo([to]));
  const params = { id: asked.chatId, mailId: asked.call.id };
  expect(refusal(await person.call(sendMail, { params, body: {} }))).toBe("CONFLICT");
  await decide(person, asked, { decision: "discard" });
  await settled(person, asked.chatId);
  expect(await mailsOf(person, asked.chatId)).toMatchObject([{ state: "draft" }]);
  expect((await person.take(sendMail, { params, body: {} })).email.state).toBe("sent");
  expect(await inbox(to)).toHaveLength(1);
  const other = await wanted(person, letterTo([newAddress()]));
  await person.take(stopReply, { params: { id: other.chatId } });
  expect(await mailsOf(person, other.chatId)).toMatchObject([{ state: "draft" }]);
});

it("sendEmail leaves a discarded draft to the person in whose name it was written", async () => {
  const [person, editor] = [await writer(), await signIn()];
  const to = newAddress();
  const asked = await wanted(person, letterTo([to]));
  await person.take(shareChat, {
    params: { id: asked.chatId },
    body: { type: "user", email: editor.email, permissionLevel: "editor" },
  });
  await decide(person, asked, { decision: "discard" });
  await settled(person, asked.chatId);
  const params = { id: asked.chatId, mailId: asked.call.id };
  expect((await editor.take(getMail, { params })).can_send).toBe(false);
  expect(refusal(await editor.call(sendMail, { params, body: {} }))).toBe("FORBIDDEN");
  expect([await inbox(to), await mailsOf(person, asked.chatId)]).toMatchObject([[], [{ state: "draft" }]]);
  expect((await person.take(getMail, { params })).can_send).toBe(true);
  expect((await person.take(sendMail, { params, body: {} })).email.state).toBe("sent");
});

it("sendEmail asks for an address that the chat has not written to, whatever is always allowed", async () => {
  const person = await writer({ always_allowed: true });
  const [known, unknown] = [newAddress(), newAddress()];
  const first = await wanted(person, letterTo([known]));
  expect(first.call.approval).toMatchObject({ isAskedAgain: true, isNewRecipient: true });
  await decide(person, first, { decision: "approve" });
  await settled(person, first.chatId);
  await say(person, first.chatId, `call sendEmail ${JSON.stringify(letterTo([known]))}\nthen\nsay Done.`);
  await until("a second letter", async () => (await inbox(known)).length === 2);
  expect(await callOf(person, first.chatId)).toMatchObject({ approval: { decision: "always" } });
  await say(person, first.chatId, `call sendEmail ${JSON.stringify(letterTo([known], { cc: [unknown] }))}\nthen\nsay Done.`);
  const asked = await until("the call to wait", async () => {
    const call = await callOf(person, first.chatId);
    return call?.status === "waiting" ? call : null;
  });
  expect(asked.approval).toMatchObject({ decision: null, isAskedAgain: true, isNewRecipient: true });
  expect(await inbox(unknown)).toEqual([]);
});

it.each([
  ["no address", ["nobody"], /"nobody" is no mail address/],
  ["another header in one", ["a@example.com\r\nBcc: b@example.com"], /is no mail address/],
  ["a chat's own address", ["0123456789abcdef0123456789abcdef@chats.localhost"], /chats do not write to each other/],
])("sendEmail refuses %s", async (_name, to, error) => {
  const { result } = await runTool(sendEmail, letterTo(to));
  expect(result).toEqual({ ok: false, error: expect.stringMatching(error) });
});

it("sendEmail no longer writes to an address that came back, nor carries files that are not the chat's", async () => {
  const to = newAddress();
  await suppress(openDatabase(env.DB), to, "bounced");
  expect((await runTool(sendEmail, letterTo([to]))).result).toEqual({
    ok: false,
    error: expect.stringContaining("nothing more is sent there"),
  });
  const { result } = await runTool(sendEmail, letterTo([newAddress()], { attachments: ["other"] }));
  expect(result).toEqual({ ok: false, error: "One of the attachments is no file of this chat." });
});

it("sendEmail answers a mail of the chat in its thread", async () => {
  const person = await writer();
  const to = newAddress();
  const { chatId } = await startChat(person, "say Ready.");
  const mail = await addMailToRoom(chatId, { from_addr: to, reference_ids: ["first@example.org"] });
  await say(person, chatId, `call sendEmail ${JSON.stringify(letterTo([to], { reply_to: mail.id }))}\nthen\nsay Done.`);
  const call = await until("the call", async () => {
    const found = await callOf(person, chatId);
    return found?.status === "waiting" ? found : null;
  });
  await decide(person, { chatId, call }, { decision: "approve" });
  await settled(person, chatId);
  expect(await inbox(to)).toMatchObject([
    { headers: { "In-Reply-To": `<${mail.message_id}>`, References: `<first@example.org> <${mail.message_id}>` } },
  ]);
});

it("whoever the owner lets a letter go to is no stranger to that chat when they answer; blocked, unproven, or written to by an editor they stay what they are", async () => {
  const owner = await writer();
  const editor = await writer();
  const [marta, ines, rui] = [newAddress(), newAddress(), newAddress()];
  const asked = await wanted(owner, letterTo([marta.toUpperCase()], { cc: [ines] }));
  const { chatId } = asked;
  const to = await addressOfChat(owner, chatId);
  const arrived = async (from: string, text: string, proof?: string) => {
    await deliver({ from, to, text, ...(proof !== undefined && { proof }) });
    return until(text, async () => (await mailsOf(owner, chatId)).find(({ text_body: body }) => body.includes(text)));
  };
  const before = await arrived(marta, "Before the letter.");
  const spam = await arrived(ines, "Spam.");
  await owner.take(decideSender, { params: { id: chatId, mailId: spam.id }, body: { decision: "block" } });
  await decide(owner, asked, { decision: "approve" });
  await settled(owner, chatId);
  const states = [before, await arrived(marta, "say my answer"), await arrived(marta, "In her name.", "")].map(({ state }) => state);
  expect(states).toEqual(["quarantined", "received", "quarantined"]);
  expect((await deliver({ from: ines, to, text: "More spam." })).rejected).not.toBeNull();

  await share(owner, chatId, editor.email, "editor");
  await say(editor, chatId, `call sendEmail ${JSON.stringify(letterTo([rui]))}\nthen\nsay Done.`);
  const call = await until("the editor's letter", async () => {
    const found = await callOf(editor, chatId);
    return found && found.id !== asked.call.id && found.status === "waiting" ? found : null;
  });
  await decide(editor, { chatId, call }, { decision: "approve" });
  await until("it is sent", async () => (await inbox(rui)).length > 0);
  expect((await arrived(rui, "To the editor.")).state).toBe("quarantined");
});

it("a turn that came by mail asks before it acts outside, whatever is always allowed, whoever wrote the mail", async () => {
  const person = await writer({ always_allowed: true });
  const known = newAddress();
  const first = await wanted(person, letterTo([known]));
  await decide(person, first, { decision: "approve" });
  await settled(person, first.chatId);
  const to = (await person.take(listMails, { params: { id: first.chatId } })).address ?? "";
  await deliver({ from: person.email, to, text: `call sendEmail ${JSON.stringify(letterTo([known]))}\nthen\nsay Done.` });
  const asked = await until("the call to wait", async () => {
    const call = await callOf(person, first.chatId);
    return call?.status === "waiting" ? call : null;
  });
  expect(asked.approval).toMatchObject({ decision: null, isAskedAgain: true });
  expect(asked.approval?.isNewRecipient).toBeUndefined();
  expect(await inbox(known)).toHaveLength(1);
  await decide(person, { chatId: first.chatId, call: asked }, { decision: "approve" });
  await until("the second mail", async () => (await inbox(known)).length === 2);
  const answered = await until("the answer's mail to be shown", async () => {
    const { messages } = await person.take(listMessages, { params: { id: first.chatId } });
    return messages.at(-1)?.answer_mail?.state === "sent" ? messages.at(-1) : null;
  });
  expect(answered).toMatchObject({ trigger: "mail", answer_mail: { to: [person.email], note: null } });
  const viewer = await signIn();
  await person.take(shareChat, { params: { id: first.chatId }, body: { type: "user", email: viewer.email, permissionLevel: "viewer" } });
  const { messages: seen } = await viewer.take(listMessages, { params: { id: first.chatId } });
  expect(seen.at(-1)?.answer_mail).toMatchObject({ state: "sent", to: null, note: null });
});

it("listEmails lists the newest first, as quoted text, without what waits in quarantine", async () => {
  const person = await writer();
  const { chatId } = await startChat(person, "say Ready.");
  for (const [subject, state] of [
    ["One", "received"],
    ["Two", "quarantined"],
    ["Three", "received"],
  ] as const)
    await addMailToRoom(chatId, { subject, state, text_body: "x".repeat(2_000) });
  await say(person, chatId, "call listEmails {}\nthen\nsay Done.");
  const output = await until("the list", async () => {
    const { messages: now } = await person.take(listMessages, { params: { id: chatId } });
    return now.at(-1)?.tool_calls[0]?.output;
  });
  expect(output).toMatch(/^What stands between the two quoted-/);
  expect([...output.matchAll(/"subject":"(\w+)"/g)].map(([, subject]) => subject)).toEqual(["Three", "One"]);
  expect(output).toMatch(/"address":"[\da-f]{32}@chats\.localhost"/);
  expect(output.length).toBeLessThan(3_000);
});

it("listEmails says so where there is no mail with an id", async () => {
  const { result } = await runTool(listEmails, { id: "unknown" });
  expect(result.ok).toBe(false);
  expect(outputOfCall(await runTool(listEmails, {}))).toContain('"emails":[]');
});

it("the category is there where the deployment has mail, and not where it has none", async () => {
  const person = await signIn();
  const { categories } = await person.take(listToolCategories, {});
  expect(categories.find(({ id }) => id === "email")).toMatchObject({
    toolIds: expect.arrayContaining(["listEmails", "sendEmail"]),
    isAlwaysOn: false,
  });
  expect(availableCategories(TOOLS, deploymentWith({ MAIL_DOMAIN: undefined })).map(({ id }) => id)).not.toContain("email");
  const mute = deploymentWith({ RESEND_API_KEY: undefined, EMAIL: undefined });
  expect(availableCategories(TOOLS, mute).find(({ id }) => id === "email")?.toolIds).not.toContain("sendEmail");
});

it("a draft is whole to who opens it", async () => {
  const person = await writer();
  const asked = await wanted(person, letterTo([newAddress()]));
  const { email } = await person.take(getMail, { params: { id: asked.chatId, mailId: asked.call.id } });
  expect(email).toMatchObject({ state: "draft", text_body: letterTo([]).body });
});
