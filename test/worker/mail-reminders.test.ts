import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { getMail, remindOfMail } from "#shared/contracts/chat/mails.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { suppress } from "#worker/people/suppressions/suppressions.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { CHEAP_MODEL, startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn } from "#test/support/worker.ts";

const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();

/** A chat that has sent a mail, in which sendEmail is always allowed. */
async function chatWithSent(change: Partial<RoomMail> = {}) {
  const owner = await signIn();
  const on = { enabled: true, is_always_on_override: true, always_allowed: true };
  await owner.take(putToolSettings, { body: { settings: { sendEmail: on, remindIfUnanswered: on } } });
  const { chatId } = await startChatAndRead(owner, "say Sent.");
  const to = newAddress();
  const sent = {
    direction: "out",
    state: "sent",
    sender_id: owner.user.id,
    delivery_key: null,
    created_at: "2026-11-20T10:00:00.000Z",
  } as const;
  const mail = await addMailToRoom(chatId, { ...sent, to_addr: [to], subject: "Invoice", ...change });
  return { owner, chatId, to, mail };
}

const remind = (owner: Person, chatId: string, mailId: string, body: { by: string | null; note?: string }) =>
  owner.call(remindOfMail, { params: { id: chatId, mailId }, body });

/** Lets the alarm come, with all that is due later due now. */
async function wake(chatId: string): Promise<void> {
  const room = env.CHAT_ROOM.getByName(chatId);
  await runInDurableObject(room, (_, { storage }) => storage.sql.exec("UPDATE due_work SET due_at = 1"));
  await runDurableObjectAlarm(room);
}

async function messagesOf(owner: Person, id: string) {
  return (await owner.take(listMessages, { params: { id } })).messages;
}

const remindersOf = (chatId: string) =>
  runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
    storage.sql.exec<{ mail_id: string; note: string }>("SELECT mail_id, note FROM mail_reminders").toArray(),
  );

it("a mail that nobody answers in time has a follow-up drafted in its thread, which asks although its receiver is known and the tool always allowed", async () => {
  const { owner, chatId, to, mail } = await chatWithSent();
  const letter = { to: [to], subject: "Re: Invoice", body: "Did you see it?", reply_to: mail.id };
  const note = `friendly\ncall sendEmail ${JSON.stringify(letter)}\nthen\nsay Drafted.`;
  expect((await remind(owner, chatId, mail.id, { by: IN_AN_HOUR, note })).ok).toBe(true);
  await wake(chatId);
  const call = await until("the follow-up to wait", async () => {
    const found = (await messagesOf(owner, chatId)).at(-1)?.tool_calls.at(-1);
    return found?.status === "waiting" ? found : null;
  });
  expect(call).toMatchObject({ tool: "sendEmail", approval: { decision: null, isAskedAgain: true } });
  expect(call.approval?.isNewRecipient).toBeUndefined();
  const question = (await messagesOf(owner, chatId)).at(-2);
  expect(question?.content).toMatch(/^Reminder: nobody has answered the mail “Invoice” to .* of 2026-11-20, 10:00 UTC by /);
  expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toEqual([]);
  expect(await remindersOf(chatId)).toEqual([]);
  await until("the mail that asks", async () =>
    (await mailsTo(env.MAILBOX_SIMULATOR, owner.email)).find(({ text }) => text.startsWith("Nobody has answered a mail of the chat")),
  );
  await wake(chatId);
  expect(await messagesOf(owner, chatId)).toHaveLength(4);
});

it.each<[string, (to: string, mail: RoomMail) => Partial<RoomMail>]>([
  ["in its thread", (_to, mail) => ({ reference_ids: [mail.message_id ?? ""] })],
  ["from its receiver", (to) => ({ from_addr: to })],
  ["that waits in quarantine", (to) => ({ from_addr: to, state: "quarantined" })],
])("a mail that nobody answers in time is no longer one after an answer %s", async (_name, answer) => {
  const { owner, chatId, to, mail } = await chatWithSent();
  await remind(owner, chatId, mail.id, { by: IN_AN_HOUR });
  await addMailToRoom(chatId, answer(to, mail));
  await wake(chatId);
  expect(await messagesOf(owner, chatId)).toHaveLength(2);
  expect(await remindersOf(chatId)).toEqual([]);
});

it("a mail that nobody answers in time is still one after a machine's answer", async () => {
  const { owner, chatId, to, mail } = await chatWithSent();
  await remind(owner, chatId, mail.id, { by: IN_AN_HOUR });
  await addMailToRoom(chatId, { from_addr: to, is_automatic: true });
  await wake(chatId);
  const messages = await until("the follow-up", async () => {
    const all = await messagesOf(owner, chatId);
    return all.length === 4 ? all : null;
  });
  expect(messages.at(-2)?.content).toMatch(/^Reminder: /);
});

it("a reminder drafts no follow-up to an address that nothing more is sent to, and says so", async () => {
  const { owner, chatId, mail } = await chatWithSent();
  await remind(owner, chatId, mail.id, { by: IN_AN_HOUR });
  for (const address of mail.to_addr) await suppress(openDatabase(env.DB), address, "complained");
  await wake(chatId);
  const { email } = await owner.take(getMail, { params: { id: chatId, mailId: mail.id } });
  expect(email.note).toContain("No follow-up was drafted: nothing more is sent to");
  expect(await remindersOf(chatId)).toEqual([]);
});

it("a reminder is called off, and is for a mail that went out and a time ahead", async () => {
  const { owner, chatId, mail } = await chatWithSent();
  await remind(owner, chatId, mail.id, { by: IN_AN_HOUR });
  const reminderOf = async () => (await owner.take(getMail, { params: { id: chatId, mailId: mail.id } })).reminder;
  expect(await reminderOf()).toEqual({ by: IN_AN_HOUR, note: "" });
  await remind(owner, chatId, mail.id, { by: null });
  expect(await reminderOf()).toBeNull();
  expect(await remindersOf(chatId)).toEqual([]);
  expect(refusal(await remind(owner, chatId, mail.id, { by: "2026-01-01T00:00:00.000Z" }))).toBe("INVALID_INPUT");
  const incoming = await addMailToRoom(chatId);
  expect(refusal(await remind(owner, chatId, incoming.id, { by: IN_AN_HOUR }))).toBe("NOT_FOUND");
  const draft = await addMailToRoom(chatId, { direction: "out", state: "draft", delivery_key: null });
  expect(refusal(await remind(owner, chatId, draft.id, { by: IN_AN_HOUR }))).toBe("INVALID_INPUT");
});

it("a reminder is set by a model too", async () => {
  const { owner, chatId, mail } = await chatWithSent();
  const input = { email_id: mail.id, by: IN_AN_HOUR, note: "ask for the number" };
  const parentId = (await messagesOf(owner, chatId)).at(-1)?.id ?? "";
  const content = `call remindIfUnanswered ${JSON.stringify(input)}\nthen\nsay Done.`;
  const body = { id: crypto.randomUUID(), parent_id: parentId, content, model_id: CHEAP_MODEL };
  await owner.take(sendMessage, { params: { id: chatId }, body });
  await until("the reminder", async () => (await remindersOf(chatId)).length === 1);
  expect(await remindersOf(chatId)).toEqual([{ mail_id: mail.id, note: "ask for the number" }]);
});
