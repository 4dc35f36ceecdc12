import { expect, it } from "vitest";
import { createChat, getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { decideSender, listMails } from "#shared/contracts/chat/mails.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { addressOfChat, deliver } from "#test/support/incoming.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { newAddress, signIn } from "#test/support/worker.ts";

it("what calls say of mail is for the owner and editors: viewers, in pages and streams, copies and the public read none of it", async () => {
  const [owner, viewer, editor] = [await signIn(), await signIn(), await signIn()];
  const on = { enabled: true, is_always_on_override: true };
  await owner.take(putToolSettings, { body: { settings: { sendEmail: on, listEmails: on } } });
  const { chatId, replyId: first } = await startChatAndRead(owner, "say Ready.");
  const params = { id: chatId };
  for (const [{ email }, permissionLevel] of [[viewer, "viewer"] as const, [editor, "editor"] as const])
    await owner.take(shareChat, { params, body: { type: "user", email, permissionLevel } });
  const [from, to] = [newAddress(), newAddress()];
  await addMailToRoom(chatId, { from_addr: from });
  const { address } = await owner.take(listMails, { params });
  for (const [person, count] of [[owner, 1] as const, [editor, 1] as const, [viewer, 0] as const])
    expect((await person.take(getChat, { params })).chat.mail_count).toBe(count);
  const letter = { to: [to], subject: "Invoice", body: "Dear Marta" };
  const content = `call listEmails {}\nthen\ncall sendEmail ${JSON.stringify(letter)}\nthen\nsay Done.`;
  const body = { id: crypto.randomUUID(), parent_id: first, content, model_id: CHEAP_MODEL };
  const { replyId } = await owner.take(sendMessage, { params, body });
  const callsOf = async (person: typeof owner) => {
    const { messages } = await person.take(listMessages, { params });
    return messages.find(({ id }) => id === replyId)?.tool_calls ?? [];
  };
  const waiting = await until("the letter to wait", async () =>
    (await callsOf(owner)).find(({ tool, status }) => tool === "sendEmail" && status === "waiting"),
  );
  const live = await callsOf(viewer);
  const streams = Promise.all([viewer, editor].map((person) => readReply(person, { chatId, replyId })));
  await owner.take(decideToolCall, { params: { id: chatId, callId: waiting.id }, body: { decision: "approve" } });
  const [seen, edited] = await streams;
  const stored = await readReply(viewer, { chatId, replyId });
  const { chat: fork } = await viewer.take(forkChat, { params, body: { messageId: replyId } });
  const { messages: forked } = await viewer.take(listMessages, { params: { id: fork.id } });
  const shown = [live, await callsOf(viewer), seen, stored, forked.flatMap(({ tool_calls: calls }) => calls)];
  for (const one of shown) {
    const text = JSON.stringify(one);
    expect(text).toContain("sendEmail");
    for (const secret of [from, to, address ?? "", "Dear Marta"]) expect(text).not.toContain(secret);
  }
  for (const one of [await callsOf(owner), await callsOf(editor), edited])
    for (const known of [from, to, address ?? ""]) expect(JSON.stringify(one)).toContain(known);
  await owner.take(updateChat, { params, body: { public: true } });
  for (const path of [`/p/${chatId}`, `/api/chat/${chatId}/export`]) {
    const response = await viewer.fetch(path);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain("Done.");
    for (const secret of [from, address ?? ""]) expect(text).not.toContain(secret);
  }
});

it("A sender's name that is an address is none, as viewers would see it: the chat's own people have theirs, others none", async () => {
  const [owner, viewer] = [await signIn(), await signIn()];
  const { chat } = await owner.take(createChat, { body: {} });
  const params = { id: chat.id };
  await owner.take(shareChat, { params, body: { type: "user", email: viewer.email, permissionLevel: "viewer" } });
  const to = await addressOfChat(owner, chat.id);
  await deliver({ from: `"${owner.email}" <${owner.email}>`, envelopeFrom: owner.email, to, text: "say named" });
  const messages = await until("the mail's message", async () => {
    const { messages: seen } = await viewer.take(listMessages, { params });
    return seen.length > 0 ? seen : null;
  });
  expect(JSON.stringify(messages)).not.toContain(owner.email);
  expect(messages[0]?.mail?.from_name).toBe(owner.user.display_name);

  const stranger = await signIn();
  await deliver({ from: stranger.email, to, text: "say unnamed" });
  const mailId = await until("the stranger's mail", async () => {
    const { emails } = await owner.take(listMails, { params });
    return emails.find(({ from_addr: address }) => address === stranger.email)?.id;
  });
  await owner.take(decideSender, { params: { ...params, mailId }, body: { decision: "allow_once" } });
  const unnamed = await until("the stranger's message", async () => {
    const { messages: seen } = await viewer.take(listMessages, { params });
    return seen.find(({ content }) => content === "say unnamed");
  });
  expect(unnamed.mail?.from_name).toBe("Someone at example.com");
});
