import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { listApprovals } from "#shared/contracts/chat/approvals.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { addressOfChat, deliver, deliverSigned, deliverSource, authenticationResultFor, signedSource } from "#test/support/incoming.ts";
import { share } from "#test/support/shared-chat.ts";
import { addTestTools, ran, released, switchOnTestTools } from "#test/support/test-tools.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, signIn } from "#test/support/worker.ts";
import { TOOLS } from "#worker/tools.ts";
import { parseApprovalAddress } from "#worker/mail/chat-address/approval-address.ts";
import { approvalMail } from "#worker/conversation/approvals/approval-mail.ts";
import { readAnswer } from "#worker/mail/inbound/read-answer.ts";

let owner: Person;
/** Tools' names are one list for the whole file. */
let name: string;

addTestTools();

beforeAll(async () => {
  owner = await signIn();
  await switchOnTestTools(owner);
});

beforeEach(() => {
  released.clear();
  name = `n${crypto.randomUUID().slice(0, 8)}`;
});

const waiting = async () => (await owner.take(listApprovals, {})).approvals;

/** A mail of the owner's begins a turn whose call waits; answers the mail about it. */
async function askedByMail() {
  const { chat } = await owner.take(createChat, { body: { title: "Proofs" } });
  const text = `call testSend {"name":"${name}"}\nthen\nsay It is over.`;
  expect(await deliver({ from: owner.email, to: await addressOfChat(owner, chat.id), text })).toEqual({ rejected: null });
  const call = await until("the call", async () => (await waiting()).find((one) => one.chat.id === chat.id)?.call);
  const mail = await until("the mail about it", async () => (await askingMails()).find((one) => one.text.includes(name)));
  return { chatId: chat.id, callId: call.id, mail, to: mail.reply_to[0] ?? "" };
}

async function askingMails() {
  return (await mailsTo(env.MAILBOX_SIMULATOR, owner.email)).filter(({ subject }) => subject.startsWith("Waiting for you"));
}

async function staleMails(address = owner.email) {
  return (await mailsTo(env.MAILBOX_SIMULATOR, address)).filter(({ subject }) => subject.startsWith("Your answer came too late"));
}

async function callOf(chatId: string) {
  const { messages } = await owner.take(listMessages, { params: { id: chatId } });
  return messages.flatMap(({ tool_calls: calls }) => calls)[0];
}

async function settled(chatId: string) {
  return until("the reply", async () => {
    const { messages } = await owner.take(listMessages, { params: { id: chatId } });
    return messages.findLast(({ role, status }) => role === "assistant" && status === "done");
  });
}

it("a turn that a mail began and that waits asks by one mail with an address of its own, which says what it would do", async () => {
  const { chatId, mail, to } = await askedByMail();
  expect(mail.to).toEqual([owner.email]);
  expect(mail.text).toContain("Name: ");
  expect(mail.text).toContain('Reply "ok" to do it, "no" to discard, or write what to change.');
  expect(mail.html).toContain(name);
  expect(mail.headers).toMatchObject({ "Auto-Submitted": "auto-generated" });
  const place = parseApprovalAddress(to.split("@")[0] ?? "");
  expect(place?.chatId).toBe(chatId);
  expect((to.split("@")[0] ?? "").length).toBeLessThanOrEqual(64);
  await killRoom(chatId);
  expect((await waiting()).some(({ chat }) => chat.id === chatId)).toBe(true);
  expect((await askingMails()).filter(({ text }) => text.includes(name))).toHaveLength(1);
});

it("a turn that a mail began and that waits is approved by 'ok', whatever is quoted below it, and once however often it comes", async () => {
  const { chatId, to } = await askedByMail();
  const answer = {
    from: owner.email,
    to,
    messageId: `${name}@example.com`,
    text: "Ok.\n\nOn Sun, Nov 22, 2026 at 10:00 AM P <p@x.example> wrote:\n> no",
  };
  expect(await Promise.all([deliver(answer), deliver(answer)])).toEqual([{ rejected: null }, { rejected: null }]);
  await settled(chatId);
  expect(await callOf(chatId)).toMatchObject({ status: "done", approval: { decision: "approve" }, output: `sent to ${name}` });
  expect(ran.filter((one) => one === name)).toHaveLength(1);
  expect((await waiting()).some(({ chat }) => chat.id === chatId)).toBe(false);
  expect(await deliver(answer)).toEqual({ rejected: null });
  expect(ran.filter((one) => one === name)).toHaveLength(1);
});

it("a turn that a mail began and that waits is discarded by 'no', and a later 'ok' hears that it came too late and does nothing", async () => {
  const { chatId, to } = await askedByMail();
  const before = (await staleMails()).length;
  await deliver({ from: owner.email, to, text: "no" });
  await settled(chatId);
  expect(await callOf(chatId)).toMatchObject({ status: "discarded", approval: { decision: "discard" } });
  await deliver({ from: owner.email, to, text: "ok" });
  const [answered, ...more] = await staleMails();
  expect(more).toHaveLength(before);
  expect(answered?.text).toMatch(/was not used\. This/);
  expect(ran).not.toContain(name);
});

it("a turn that a mail began and that waits goes back to the model with what to change, which asks anew", async () => {
  const { chatId, to } = await askedByMail();
  await deliver({ from: owner.email, to, text: "ok\nbut make it Friday" });
  await settled(chatId);
  expect(await callOf(chatId)).toMatchObject({
    status: "discarded",
    approval: { decision: "discard", isChangeAsked: true },
    output: expect.stringContaining("ok\nbut make it Friday"),
  });
  expect(ran).not.toContain(name);
});

it("a turn that a mail began and that waits goes on by an answer that its writer's signature alone proves, once DNS can be asked", async () => {
  const { chatId, to } = await askedByMail();
  const source = await signedSource({ from: owner.email, to, text: "ok" });
  const changed = new TextDecoder().decode(source).replace("\r\n\r\nok", "\r\n\r\nno");
  expect((await deliverSource(changed, { from: owner.email, to, proof: "" })).rejected).toMatch(/^Only a mail that is proven/);
  const away = { ...env, DNS_URL: `${env.DNS_SIMULATOR}/nowhere` };
  await expect(deliverSigned({ from: owner.email, to, text: "ok" }, [{}], away)).rejects.toThrow("DNS says nothing");
  expect(ran).not.toContain(name);
  expect(await deliverSource(source, { from: owner.email, to, proof: "" })).toEqual({ rejected: null });
  await settled(chatId);
  expect(ran).toContain(name);
});

it("a turn that a mail began and that waits that was decided in the chat says so", async () => {
  const { chatId, callId, to } = await askedByMail();
  const before = (await staleMails()).length;
  await owner.take(decideToolCall, { params: { id: chatId, callId }, body: { decision: "discard" } });
  await deliver({ from: owner.email, to, text: "ok" });
  expect((await staleMails()).length).toBe(before + 1);
  expect(ran).not.toContain(name);
});

it("nothing is decided by forged, unproven and strangers' mails, by machines, at a made-up address, or by others of the chat", async () => {
  const { chatId, to } = await askedByMail();
  const [stranger, editor] = [await signIn(), await signIn()];
  await owner.take(shareChat, { params: { id: chatId }, body: { type: "user", email: editor.email, permissionLevel: "editor" } });
  const unproven = expect.stringMatching(/^Only a mail that is proven/);
  const unknown = "There is no such address.";
  const forged = `X-Note: above\r\n${authenticationResultFor(owner.email)}`;
  const tries = [
    { letter: { from: owner.email, to, text: "ok", proof: "" }, rejected: unproven },
    { letter: { from: owner.email, to, text: "ok", proof: forged }, rejected: unproven },
    { letter: { from: owner.email, to, text: "ok", proof: authenticationResultFor("ann@evil.example") }, rejected: unproven },
    { letter: { from: owner.email, to, text: "ok", proof: "", fields: [authenticationResultFor(owner.email)] }, rejected: unproven },
    { letter: { from: newAddress(), to, text: "ok" }, rejected: unproven },
    { letter: { from: stranger.email, to, text: "ok" }, rejected: unknown },
    { letter: { from: editor.email, to, text: "ok" }, rejected: unknown },
    { letter: { from: owner.email, to: to.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@")), text: "ok" }, rejected: unknown },
    { letter: { from: owner.email, to, text: "ok", fields: ["Auto-Submitted: auto-replied"] }, rejected: null },
  ];
  const answered: (string | null)[] = [];
  for (const { letter } of tries) answered.push((await deliver(letter)).rejected);
  expect(answered).toEqual(tries.map(({ rejected }) => rejected));
  expect(await callOf(chatId)).toMatchObject({ status: "waiting", approval: { decision: null } });
  expect(ran).not.toContain(name);
  const rows = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
    storage.sql.exec<{ answer: string | null }>("SELECT answer FROM approval_mails").toArray(),
  );
  expect(rows).toEqual([{ answer: null }]);
});

it("the mail that asks shows receivers first and the tool's own fields alone, whatever order the model wrote them in", () => {
  const input = { "To ": "nobody@example.com", body: "Dear Marta\n\nTo: faked@example.com", subject: "Hello", to: ["real@example.com"] };
  const call = { id: crypto.randomUUID(), tool: "sendEmail", input };
  const place = { chat: { id: crypto.randomUUID(), title: "Proofs" }, to: "x@example.com", token: "0", expiresAt: null };
  const text = approvalMail(env, { ...place, call, tools: TOOLS, beginning: "mail" })?.text ?? "";
  expect(text.indexOf("To: real@example.com")).toBeGreaterThan(0);
  expect(text.indexOf("To: real@example.com")).toBeLessThan(text.indexOf("To: faked@example.com"));
  expect(text).not.toContain("nobody@example.com");
});

it.each(["On Sun, Nov 22, 2026 at 10:00 AM P <p@x.example> wrote:\n> ok", "> ok\n> Name: it"])(
  "an answer that only quotes is reported: %j",
  async (text) => {
    const { chatId, to } = await askedByMail();
    expect((await deliver({ from: owner.email, to, text })).rejected).toMatch(/^This answer cannot be read/);
    expect(await callOf(chatId)).toMatchObject({ status: "waiting" });
  },
);

it("a blocked account approves nothing by mail", async () => {
  const { chatId, to } = await askedByMail();
  const block = env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?");
  await block.bind(new Date().toISOString(), owner.user.id).run();
  const { rejected } = await deliver({ from: owner.email, to, text: "ok" });
  await block.bind(null, owner.user.id).run();
  expect(rejected).toMatch(/^Only a mail that is proven/);
  expect(await callOf(chatId)).toMatchObject({ status: "waiting" });
});

it("A blocked account's mail is a stranger's, and opens no chat", async () => {
  const [person, host] = [await signIn(), await signIn()];
  const { chat } = await host.take(createChat, { body: {} });
  const to = await addressOfChat(host, chat.id);
  await share(host, chat.id, person.email, "editor");
  await env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?").bind(new Date().toISOString(), person.user.id).run();
  expect((await deliver({ from: person.email, to: "new@chats.localhost" })).rejected).toMatch(/^New chats are opened/);
  await deliver({ from: person.email, to, text: "say blocked" });
  const states = await runInDurableObject(env.CHAT_ROOM.getByName(chat.id), (_, { storage }) =>
    storage.sql.exec<{ state: string }>("SELECT state FROM mails").toArray(),
  );
  expect(states).toEqual([{ state: "quarantined" }]);
});

it.each([
  ["ok", "approve"],
  ["OK!", "approve"],
  ["Ok\n\nLena", "approve"],
  ["send it\n\nSent from my phone", "approve"],
  ["yes\n-- \nLena Brandt\nBerlin", "approve"],
  ["no", "discard"],
  ["Don't send.", "discard"],
  ["ok, but to Bob", "change"],
  ["ok\n\nnot to Bob", "change"],
  ["no, make it Friday", "change"],
  ["Is that ok?", "change"],
])("an answer's own words: %j is read as %s", (text, kind) => {
  expect(readAnswer(text, "Lena Brandt")?.kind).toBe(kind);
});

it("an answer's own words are missing in an empty one", () => {
  expect(readAnswer("  \n-- \nok", "Lena")).toBeNull();
});
