import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createArtifact, listArtifacts, putArtifactContent } from "#shared/contracts/artifacts.ts";
import { getMail, listMails, sendMail } from "#shared/contracts/chat/mails.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import type { Mail } from "#shared/entities/mail.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn } from "#test/support/worker.ts";
import { mailArtifacts } from "#worker/mail/outbound/made-artifacts.ts";
import { answerMail } from "#worker/mail/outbound/answer.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";

const inbox = (address: string) => mailsTo(env.MAILBOX_SIMULATOR, address);

/** A chat whose last exchange came as a mail, with what the test is about. */
async function chatWithMail(owner: Person, change: Partial<RoomMail> = {}, prompt = "say **Yes**, it is.") {
  const { chatId, messageId, replyId } = await startChatAndRead(owner, prompt);
  const from = change.from_addr ?? owner.email;
  const mail = await addMailToRoom(chatId, {
    from_addr: from,
    from_name: "Ada",
    reply_to_addr: [from],
    subject: "Re: Proof",
    text_body: "Is it <b>right</b>?",
    reference_ids: ["first@example.org"],
    turn_id: messageId,
    ...change,
  });
  return { chatId, replyId, mail };
}

async function answer({ chatId, mail, replyId }: { chatId: string; mail: RoomMail; replyId: string }): Promise<void> {
  await answerMail(env, { chatId, mailId: mail.id, replyId });
}

async function outgoing(owner: Person, id: string): Promise<Mail[]> {
  const { emails } = await owner.take(listMails, { params: { id } });
  return emails.filter(({ direction }) => direction === "out");
}

const untilState = (owner: Person, chatId: string, ...states: Mail["state"][]) =>
  until(`a mail that is ${states.join(" or ")}`, async () => (await outgoing(owner, chatId)).find(({ state }) => states.includes(state)));

/** Lets the alarm come, with all that is due later due now. */
async function wake(chatId: string): Promise<void> {
  const room = env.CHAT_ROOM.getByName(chatId);
  await runInDurableObject(room, async (_, { storage }) => {
    storage.sql.exec("UPDATE due_work SET due_at = 1");
    // What a test wrote there itself has none.
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(room);
}

it("the answer to a mail goes to its sender, in its thread, as a letter above what it answers", async () => {
  const owner = await signIn();
  const mailed = await chatWithMail(owner);
  await answer(mailed);
  const sent = await untilState(owner, mailed.chatId, "sent");
  const { address } = await owner.take(listMails, { params: { id: mailed.chatId } });
  const [letter, ...more] = await inbox(owner.email);
  expect(more).toEqual([]);
  expect(letter).toMatchObject({
    to: [owner.email],
    cc: [],
    reply_to: [address],
    subject: "Re: Proof",
    headers: {
      "In-Reply-To": `<${mailed.mail.message_id}>`,
      References: `<first@example.org> <${mailed.mail.message_id}>`,
      "Auto-Submitted": "auto-replied",
    },
  });
  expect(letter?.from).toMatch(new RegExp(` <${address}>$`));
  expect(letter?.text).toMatch(/^\*Yes\*, it is\.\n[\s\S]*wrote:\n\n> Is it <b>right<\/b>\?\n$/);
  expect(letter?.html).toContain("<strong>Yes</strong>, it is.");
  expect(letter?.html).toContain("Is it &lt;b&gt;right&lt;/b&gt;?");
  expect(sent).toMatchObject({
    state: "sent",
    to_addr: [owner.email],
    from_addr: address,
    in_reply_to: mailed.mail.message_id,
    message_id: letter?.message_id.slice(1, -1),
    note: null,
  });
});

it("the answer to a mail carries the artifacts that it made as files, and none that was there before; what has no room is linked", async () => {
  const owner = await signIn();
  const before = (await owner.take(createArtifact, { body: { title: "Private", content: "Secret." } })).id;
  const calls = [
    `call createArtifact ${JSON.stringify({ title: "Figures", content: "```csv\nline,euros\n```" })}`,
    `call createArtifact ${JSON.stringify({ title: "A [plan]", content: "# Monday" })}`,
    // A language that objects have a field of by themselves.
    `call createArtifact ${JSON.stringify({ title: "Build", content: "```constructor\nnew\n```" })}`,
    `call editArtifact ${JSON.stringify({ artifact_id: before, edits: [{ old_text: "Secret.", new_text: "Secret!" }] })}`,
    `call copyArtifact ${JSON.stringify({ artifact_id: before })}`,
  ];
  const mailed = await chatWithMail(owner, { sender_id: owner.user.id }, `${calls.join("\nthen\n")}\nthen\nsay All done.`);
  await answer(mailed);
  await untilState(owner, mailed.chatId, "sent");
  const [letter] = await inbox(owner.email);
  expect(letter?.attachments).toEqual([
    { filename: "Figures.csv", type: "text/csv", size: 10 },
    { filename: "A [plan].md", type: "text/markdown", size: 8 },
    { filename: "Build.md", type: "text/markdown", size: 22 },
  ]);

  const { artifacts } = await owner.take(listArtifacts, { query: {} });
  const id = artifacts.find(({ title }) => title === "A [plan]")?.id ?? "";
  const deployment = deploymentWith({ APP_ORIGIN: "https://polylogue.example" });
  const made = [{ id, title: "A [plan]", version: 1 }];
  expect(await mailArtifacts(deployment, { userId: owner.user.id, made, room: 7 })).toEqual({
    files: [],
    links: `[A  plan ](https://polylogue.example/artifacts/${id})`,
  });
  const stranger = await signIn();
  expect(await mailArtifacts(deployment, { userId: stranger.user.id, made })).toEqual({ files: [], links: "" });
});

it("the answer to a mail carries 5 MiB of artifacts, or what the platform's own mails can hold, each in the version that it made", async () => {
  const owner = await signIn();
  const made = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async (at) => {
      const title = `Part ${at}`;
      const { id } = await owner.take(createArtifact, { body: { title, content: "x".repeat(900_000) } });
      return { id, title, version: 1 };
    }),
  );
  const later = made[0];
  if (later) await owner.take(putArtifactContent, { params: { id: later.id }, body: { content: "Later.", base_version: 1 } });
  const origin = { APP_ORIGIN: "https://polylogue.example" };
  const by = async (key: string | undefined) =>
    mailArtifacts(deploymentWith({ ...origin, RESEND_API_KEY: key }), { userId: owner.user.id, made });
  const full = await by("re_key");
  expect(full.files.map(({ filename, content }) => [filename, content.length])).toEqual(
    [1, 2, 3, 4, 5].map((at) => [`Part ${at}.md`, 1_200_000]),
  );
  expect(full.links).toContain("[Part 6](https://polylogue.example/artifacts/");
  expect((await by(undefined)).files).toHaveLength(3);
});

it("the answer to a mail goes out once, however often it is asked for", async () => {
  const owner = await signIn();
  const mailed = await chatWithMail(owner);
  await Promise.all([answer(mailed), answer(mailed)]);
  await untilState(owner, mailed.chatId, "sent");
  await answer(mailed);
  await wake(mailed.chatId);
  expect(await inbox(owner.email)).toHaveLength(1);
  expect(await outgoing(owner, mailed.chatId)).toHaveLength(1);
});

it("the answer to a mail goes out once where the room dies while it is sent", async () => {
  const owner = await signIn();
  const address = `fault-lost-1+${crypto.randomUUID()}@example.com`;
  const mailed = await chatWithMail(owner, { from_addr: address });
  await answer(mailed);
  await until("the mail to be taken", async () => (await inbox(address)).length === 1);
  await killRoom(mailed.chatId);
  await wake(mailed.chatId);
  await untilState(owner, mailed.chatId, "sent");
  expect(await inbox(address)).toHaveLength(1);
});

it("the answer to a mail is tried again where the service is busy", async () => {
  const owner = await signIn();
  const address = `fault-429-1+${crypto.randomUUID()}@example.com`;
  const mailed = await chatWithMail(owner, { from_addr: address });
  await answer(mailed);
  await until("the first try", async () => {
    const rows = await runInDurableObject(env.CHAT_ROOM.getByName(mailed.chatId), (_, { storage }) =>
      storage.sql.exec<{ tries: number; is_claimed: number }>("SELECT tries, is_claimed FROM outgoing_mails").toArray(),
    );
    return rows[0]?.tries === 1 && rows[0].is_claimed === 0;
  });
  expect(await inbox(address)).toEqual([]);
  await wake(mailed.chatId);
  await untilState(owner, mailed.chatId, "sent");
  expect(await inbox(address)).toHaveLength(1);
});

it("the answer to a mail says why it failed, makes the chat unread, and is sent when asked for again", async () => {
  const owner = await signIn();
  const address = `fault-422-1+${crypto.randomUUID()}@example.com`;
  const mailed = await chatWithMail(owner, { from_addr: address });
  await answer(mailed);
  const failed = await untilState(owner, mailed.chatId, "failed");
  expect(failed.note).toBe("The mail service refused it (validation_error).");
  const params = { id: mailed.chatId, mailId: failed.id };
  const { email } = await owner.take(sendMail, { params, body: {} });
  expect(email).toMatchObject({ state: "sent", note: null });
  expect((await owner.take(sendMail, { params, body: {} })).email.state).toBe("sent");
  expect(await inbox(address)).toHaveLength(1);
});

it("the answer to a mail is not sent a second time by a service that knows no keys", async () => {
  const owner = await signIn();
  const mailed = await chatWithMail(owner);
  await answer(mailed);
  const { id } = await untilState(owner, mailed.chatId, "sent");
  // As an instance leaves it that ended while the mail was being sent, too long ago for its key.
  await runInDurableObject(env.CHAT_ROOM.getByName(mailed.chatId), (_, { storage }) => {
    storage.sql.exec("UPDATE mails SET state = 'queued' WHERE id = ?", id);
    storage.sql.exec("UPDATE outgoing_mails SET is_claimed = 1, first_tried_at = ? WHERE mail_id = ?", Date.now() - 21 * 3_600_000, id);
    storage.sql.exec("INSERT OR REPLACE INTO due_work (kind, id, due_at, tries) VALUES ('mail', ?, 1, 0)", id);
  });
  await wake(mailed.chatId);
  const failed = await untilState(owner, mailed.chatId, "failed");
  expect(failed.note).toMatch(/^It may or may not have been sent/);
  expect(await inbox(owner.email)).toHaveLength(1);
});

it.each<[string, Partial<RoomMail>]>([
  ["a machine's mail", { is_automatic: true }],
  ["a mail that is not proven", { authentication: { result: "fail", by: null } }],
  ["a mail of which nothing is known", { authentication: { result: "none", by: null } }],
  ["another chat's mail", { from_addr: "0123456789abcdef0123456789abcdef@chats.localhost" }],
  ["a mail from no-reply", { from_addr: "no-reply@example.com" }],
])("the answer to a mail is not for %s", async (_name, change) => {
  const owner = await signIn();
  const mailed = await chatWithMail(owner, change);
  await answer(mailed);
  expect(await outgoing(owner, mailed.chatId)).toEqual([]);
});

it("the answer to a mail is not sent where the reply failed", async () => {
  const owner = await signIn();
  const mailed = await chatWithMail(owner, {}, "fault 402");
  await answer(mailed);
  expect(await outgoing(owner, mailed.chatId)).toEqual([]);
});

it("the answer to a mail goes to all by the setting of whose turn it was, without own addresses, machines and duplicates", async () => {
  const owner = await signIn();
  await owner.take(updateUser, { body: { triggered_reply_all_enabled: true } });
  const [sender, other, copied] = [newAddress(), newAddress(), newAddress()];
  const mailed = await chatWithMail(owner, {
    from_addr: sender,
    to_addr: ["0123456789abcdef0123456789abcdef@chats.localhost", other, owner.email],
    cc_addr: [copied, other, "no-reply@example.com", sender],
  });
  await answer(mailed);
  const sent = await untilState(owner, mailed.chatId, "sent");
  expect([sent.to_addr, sent.cc_addr]).toEqual([[sender], [other, copied]]);
  expect(await inbox(copied)).toMatchObject([{ to: [sender], cc: [other, copied] }]);
});

it("the answer to a mail is one of at most 20 mails an hour of a chat", async () => {
  const owner = await signIn();
  const mailed = await chatWithMail(owner);
  await runInDurableObject(env.CHAT_ROOM.getByName(mailed.chatId), (_, { storage }) => {
    for (let index = 0; index < 20; index += 1)
      storage.sql.exec("INSERT INTO outgoing_mails (mail_id, queued_at) VALUES (?, ?)", crypto.randomUUID(), Date.now());
  });
  await answer(mailed);
  const failed = await untilState(owner, mailed.chatId, "failed");
  expect(failed.note).toMatch(/20 mails within an hour/);
  expect(refusal(await owner.call(sendMail, { params: { id: mailed.chatId, mailId: failed.id }, body: {} }))).toBe("RATE_LIMITED");
  expect(await inbox(owner.email)).toEqual([]);
});

it("the answer to a mail is whole to those who may see addresses", async () => {
  const owner = await signIn();
  const mailed = await chatWithMail(owner);
  await answer(mailed);
  const { id } = await untilState(owner, mailed.chatId, "sent");
  const { email } = await owner.take(getMail, { params: { id: mailed.chatId, mailId: id } });
  expect(email.text_body).toBe("**Yes**, it is.");
});
