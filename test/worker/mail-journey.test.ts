import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createChat, getChat } from "#shared/contracts/chat/chats.ts";
import { getMail, listMails } from "#shared/contracts/chat/mails.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { deliver } from "#test/support/incoming.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { until } from "#test/support/until.ts";
import { newAddress, signIn } from "#test/support/worker.ts";

const inbox = (address: string) => mailsTo(env.MAILBOX_SIMULATOR, address);

it("a chat is written to, answers, asks before it writes to a third person, and gets an 'ok', all by mail", async () => {
  const owner = await signIn();
  await owner.take(updateUser, { body: { triggered_tool_categories: ["email"] } });
  const { id } = (await owner.take(createChat, { body: {} })).chat;
  const { address } = await owner.take(listMails, { params: { id } });
  const [marta, chat] = [newAddress(), address ?? ""];

  await deliver({ from: owner.email, to: chat, subject: "Proof", messageId: "one@example.com", text: "say The proof is fine." });
  const answer = await until("the answer", async () => (await inbox(owner.email))[0]);
  expect(answer).toMatchObject({ subject: "Re: Proof", reply_to: [chat], headers: { "In-Reply-To": "<one@example.com>" } });
  expect(answer.text).toMatch(/^The proof is fine\.\n\n-- \n/);

  const letter = { to: [marta], subject: "The proof", body: "Dear Marta, it is fine." };
  await deliver({
    from: owner.email,
    to: chat,
    subject: "Re: Proof",
    messageId: "two@example.com",
    fields: [`In-Reply-To: ${answer.message_id}`, `References: <one@example.com> ${answer.message_id}`],
    text: `call sendEmail ${JSON.stringify(letter)}\nthen\nsay Marta knows.`,
  });
  const question = await until("the question", async () =>
    (await inbox(owner.email)).find(({ reply_to: [to = chat] }) => to !== chat && to.endsWith("@chats.localhost")),
  );
  expect(question.text).toContain(marta);
  expect(await inbox(marta)).toEqual([]);

  await deliver({ from: owner.email, to: question.reply_to[0] ?? "", subject: `Re: ${question.subject}`, text: "ok" });
  const sent = await until("the letter to the third person", async () => (await inbox(marta))[0]);
  expect(sent).toMatchObject({ to: [marta], subject: "The proof", reply_to: [chat], text: "Dear Marta, it is fine.\n" });
  const last = await until("the second answer", async () => (await inbox(owner.email)).find(({ text }) => text.startsWith("Marta knows.")));
  expect(last.headers).toMatchObject({
    "In-Reply-To": "<two@example.com>",
    References: `<one@example.com> ${answer.message_id} <two@example.com>`,
  });

  // A mail is in its mailbox a moment before the chat has heard so.
  const { messages } = await until("both answers are reported as sent", async () => {
    const page = await owner.take(listMessages, { params: { id } });
    return page.messages.filter(({ answer_mail: mail }) => mail?.state === "sent").length === 2 ? page : null;
  });
  expect(messages.map(({ role, trigger, answer_mail: mail }) => [role, trigger, mail?.state])).toEqual([
    ["user", undefined, undefined],
    ["assistant", "mail", "sent"],
    ["user", undefined, undefined],
    ["assistant", "mail", "sent"],
  ]);
  expect(messages.at(-1)?.tool_calls).toMatchObject([{ tool: "sendEmail", status: "done", approval: { decision: "approve" } }]);
  const { emails } = await owner.take(listMails, { params: { id } });
  expect(emails.filter(({ direction }) => direction === "out").map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  const first = emails.findLast(({ direction }) => direction === "in");
  const answered = emails.findLast(({ direction }) => direction === "out");
  const { outcome } = await owner.take(getMail, { params: { id, mailId: first?.id ?? "" } });
  expect(outcome).toEqual({ answered_at: answered?.created_at, cost: messages[1]?.cost });
  expect(outcome?.cost).toBeGreaterThan(0);
  expect((await owner.take(getChat, { params: { id } })).chat.mail_count).toBe(5);
});
