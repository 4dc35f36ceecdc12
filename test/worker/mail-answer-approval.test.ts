import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { updateUser } from "#shared/contracts/account/users.ts";
import { listApprovals } from "#shared/contracts/chat/approvals.ts";
import { createArtifact } from "#shared/contracts/artifacts.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { decideSender, discardMail, getMail, type SenderDecision, sendMail } from "#shared/contracts/chat/mails.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { addressOfChat, deliver, newestMail } from "#test/support/incoming.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { addFact } from "#test/support/memories.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { messagesOf } from "#test/support/runs.ts";
import { share } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn } from "#test/support/worker.ts";
import { connectedToolId } from "#worker/integrations/mcp/served-tool.ts";

const FACT = "Keeps bees in Ulm";

let owner: Person;
let editor: Person;
beforeAll(async () => {
  [owner, editor] = [await signIn(), await signIn()];
  await addFact(owner, FACT);
  await owner.take(updateUser, { body: { triggered_memory_enabled: true } });
});

/** A shared chat with a mail of a stranger that was let in, once its answer is written. */
async function answered(decision: SenderDecision) {
  const id = crypto.randomUUID();
  const from = newAddress();
  await owner.take(createChat, { body: { id, model_id: CHEAP_MODEL } });
  await share(owner, id, editor.email, "editor");
  await deliver({ from, to: await addressOfChat(owner, id), text: "show request" });
  const mail = await newestMail(owner, id);
  const decide = (by: Person) => by.call(decideSender, { params: { id, mailId: mail.id }, body: { decision } });
  expect(refusal(await decide(editor))).toBe("FORBIDDEN");
  expect((await decide(owner)).ok).toBe(true);
  const answer = await until("the answer", async () => {
    const last = (await messagesOf(owner, id)).at(-1);
    return last?.role === "assistant" && last.answer_mail ? last : null;
  });
  return { id, from, answer, mailId: answer.answer_mail?.id ?? "", params: { id, mailId: answer.answer_mail?.id ?? "" } };
}

const arrivedAt = (address: string) => mailsTo(env.MAILBOX_SIMULATOR, address);
const waitingFor = async (person: Person, chatId: string) =>
  (await person.take(listApprovals, {})).answers.filter(({ chat }) => chat.id === chatId);

it("the answer to a stranger's mail that was let in with its payer's data waits for their word alone, and is sent by it once", async () => {
  const before = (await owner.take(listApprovals, {})).count;
  const { id, from, answer, params, mailId } = await answered("allow_with_data");
  expect(answer.content).toContain(FACT);
  expect(answer.answer_mail).toMatchObject({ state: "draft", to: [from], waits_for: "you" });
  const [waiting] = await until("it waits", async () => {
    const found = await waitingFor(owner, id);
    return found.length > 0 ? found : null;
  });
  expect(waiting).toMatchObject({ message_id: answer.id, mail: { id: mailId, to: [from], subject: "Re: Subject" } });
  expect((await owner.take(listApprovals, {})).count).toBe(before + 1);

  expect(await waitingFor(editor, id)).toEqual([]);
  expect((await messagesOf(editor, id)).at(-1)?.answer_mail?.waits_for).toBe("other");
  expect((await editor.take(getMail, { params })).can_send).toBe(false);
  expect(refusal(await editor.call(sendMail, { params, body: {} }))).toBe("FORBIDDEN");
  expect(refusal(await editor.call(discardMail, { params, body: {} }))).toBe("FORBIDDEN");
  expect(await arrivedAt(from)).toEqual([]);

  await owner.take(sendMail, { params, body: {} });
  await owner.take(sendMail, { params, body: {} });
  const [sent, ...others] = await until("it arrives", async () => {
    const mails = await arrivedAt(from);
    return mails.length > 0 ? mails : null;
  });
  expect([sent?.text.includes(FACT), others]).toEqual([true, []]);
  await until("it waits no more", async () => (await owner.take(listApprovals, {})).count === before);
  const last = (await messagesOf(owner, id)).at(-1)?.answer_mail;
  expect([last?.state, last?.waits_for]).toEqual(["sent", undefined]);
});

it("the answer to a stranger's mail stays unsent where its payer does not want it sent, and is theirs alone to send later", async () => {
  const { id, from, params } = await answered("allow_with_data");
  await until("it waits", async () => (await waitingFor(owner, id)).length === 1);
  await owner.take(discardMail, { params, body: {} });
  expect((await owner.take(discardMail, { params, body: {} })).email).toMatchObject({
    state: "draft",
    note: "It was decided not to send it.",
  });
  await until("it waits no more", async () => (await waitingFor(owner, id)).length === 0);
  expect(refusal(await editor.call(sendMail, { params, body: {} }))).toBe("FORBIDDEN");
  expect(await arrivedAt(from)).toEqual([]);
});

it("the answer to a stranger's mail that was let in without goes out by itself and says nothing that is theirs", async () => {
  const { id, from, answer } = await answered("allow_once");
  expect(answer.content).not.toContain(FACT);
  await until("it arrives", async () => (await arrivedAt(from)).length === 1);
  expect(await waitingFor(owner, id)).toEqual([]);
});

describe("the answer to a person's own mail, where replies go to all", () => {
  /** Somebody's mail to a chat of their own, with what stands in its header besides. */
  async function mailed(person: Person, fields: string[], text = "show request") {
    const id = crypto.randomUUID();
    await person.take(createChat, { body: { id, model_id: CHEAP_MODEL } });
    await person.take(updateUser, { body: { triggered_reply_all_enabled: true } });
    await deliver({ from: person.email, to: await addressOfChat(person, id), text, fields });
    return id;
  }
  const firstTo = (address: string) =>
    until("it arrives", async () => {
      const mails = await arrivedAt(address);
      return mails.length > 0 ? mails : null;
    });

  it("an answer to all of a person's own mail that was written with their data is theirs at once, and goes to others by their word alone", async () => {
    const writer = await signIn();
    await addFact(writer, FACT);
    const third = newAddress();
    const id = await mailed(writer, [`Cc: ${third}`]);
    const [own] = await firstTo(writer.email);
    expect(own).toMatchObject({ to: [writer.email], cc: [] });
    expect(own?.text).toContain(FACT);
    expect(own?.text).toContain("This went to you alone");
    const [waiting] = await until("it waits", async () => {
      const found = await waitingFor(writer, id);
      return found.length > 0 ? found : null;
    });
    expect(waiting?.mail.to).toEqual([third]);
    const mailId = waiting?.mail.id ?? "";
    expect((await messagesOf(writer, id)).at(-1)?.answer_mail).toMatchObject({ id: mailId, state: "draft", to: [third], waits_for: "you" });
    expect(await arrivedAt(third)).toEqual([]);

    await writer.take(sendMail, { params: { id, mailId }, body: {} });
    const [sent, ...others] = await firstTo(third);
    expect([sent?.to, sent?.text.includes(FACT), sent?.text.includes("This went to you alone"), others]).toEqual([
      [third],
      true,
      false,
      [],
    ]);
    expect(sent?.text).toContain("Answers to this address go on in the chat.");
    expect(await arrivedAt(writer.email)).toHaveLength(1);
    expect((await messagesOf(writer, id)).at(-1)?.answer_mail?.waits_for).toBeUndefined();
  });

  it("an answer to all of a person's own mail that follows what was read of theirs waits just so, and without any goes to all at once", async () => {
    const writer = await signIn();
    const third = newAddress();
    const { id: artifactId } = (await writer.take(createArtifact, { body: { title: "Breakfast", content: "Bakery opens at six." } }))
      .artifact;
    const { chatId } = await startChatAndRead(writer, `call readArtifact {"artifact_id":"${artifactId}"}\nthen\nsay Read.`);
    await writer.take(updateUser, { body: { triggered_reply_all_enabled: true } });
    await deliver({ from: writer.email, to: await addressOfChat(writer, chatId), text: "say Six.", fields: [`Cc: ${third}`] });
    await until("it waits", async () => (await waitingFor(writer, chatId)).length === 1);
    expect(await arrivedAt(third)).toEqual([]);

    const open = newAddress();
    const id = await mailed(writer, [`Cc: ${open}`], "say Seven.");
    expect(await firstTo(open)).toMatchObject([{ to: [writer.email], cc: [open] }]);
    expect(await waitingFor(writer, id)).toEqual([]);
  });

  it("an answer to all of a person's own mail that follows what a server of theirs told with a failure waits too", async () => {
    const writer = await signIn();
    const third = newAddress();
    const server = { name: "Bills", server_url: `${env.MCP_SIMULATOR}/hostile/lies/mcp` };
    const { id: connectionId } = (await writer.take(createMcpConnection, { body: server })).connection;
    const tool = connectedToolId(connectionId, "fail");
    await writer.take(putToolSettings, { body: { settings: { [tool]: { always_allowed: true } } } });
    const id = crypto.randomUUID();
    const content = `call ${tool} {}\nthen\nsay Paid.`;
    const tools = { tool_categories: [connectionCategory(connectionId)] };
    const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: CHEAP_MODEL, ...tools };
    const { replyId } = await writer.take(sendMessage, { params: { id }, body });
    await readReply(writer, { chatId: id, replyId });
    expect((await messagesOf(writer, id)).at(-1)?.tool_calls).toMatchObject([
      { status: "failed", output: expect.stringContaining("The bill is paid already") },
    ]);
    await writer.take(updateUser, { body: { triggered_reply_all_enabled: true } });
    await deliver({ from: writer.email, to: await addressOfChat(writer, id), text: "say Paid.", fields: [`Cc: ${third}`] });
    await until("it waits", async () => (await waitingFor(writer, id)).length === 1);
    expect(await arrivedAt(third)).toEqual([]);
  });

  it("an answer to all of a person's own mail waits for nobody where it goes to them alone, and goes to no Reply-To or Cc that their signature does not cover", async () => {
    const writer = await signIn();
    await addFact(writer, FACT);
    const [reply, copied] = [newAddress(), newAddress()];
    const signature = "DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; h=from:to:subject:date:message-id; bh=abc; b=abc";
    const id = await mailed(writer, [`Reply-To: ${reply}`, `Cc: ${copied}`, signature]);
    const [own] = await firstTo(writer.email);
    expect([own?.to, own?.cc, own?.text.includes(FACT), own?.text.includes("This went to you alone")]).toEqual([
      [writer.email],
      [],
      true,
      false,
    ]);
    expect([await waitingFor(writer, id), await arrivedAt(reply), await arrivedAt(copied)]).toEqual([[], [], []]);
  });
});

it("mail that waits is the owner's to let in: editors see it, and may block it", async () => {
  const id = crypto.randomUUID();
  await owner.take(createChat, { body: { id, model_id: CHEAP_MODEL } });
  await share(owner, id, editor.email, "editor");
  await deliver({ from: newAddress(), to: await addressOfChat(owner, id), text: "Buy." });
  const { id: mailId } = await newestMail(owner, id);
  const decides = async (person: Person) => (await person.take(getMail, { params: { id, mailId } })).can_let_in;
  expect([await decides(owner), await decides(editor)]).toEqual([true, false]);
  expect((await editor.take(decideSender, { params: { id, mailId }, body: { decision: "block" } })).email.state).toBe("blocked");
  expect(refusal(await editor.call(decideSender, { params: { id, mailId }, body: { decision: "allow_once" } }))).toBe("FORBIDDEN");
});
