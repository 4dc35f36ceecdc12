import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { answerToPicture, linkedPhone } from "#test/support/messaging.ts";
import { share } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { newAddress, signIn } from "#test/support/worker.ts";

it("a conversation with a voice note, a picture and an approval goes on in one chat", async () => {
  const { person, phone } = await linkedPhone();
  await person.take(updateUser, { body: { triggered_tool_categories: ["email"] } });

  await phone.send({ type: "text", body: "say **Hello** from _here_." });
  expect(await phone.answer(1)).toMatchObject({ type: "text", text: "*Hello* from _here_." });

  await phone.send({ type: "audio", say: "say I heard you." });
  expect((await phone.answer(2)).text).toContain("I heard you.");

  await phone.send({ type: "image", caption: "say A fine picture." });
  expect((await answerToPicture(person, phone, 3)).text).toContain("A fine picture.");

  const marta = newAddress();
  const letter = { to: [marta], subject: "The proof", body: "Dear Marta, it is fine." };
  await phone.send({ type: "text", body: `call sendEmail ${JSON.stringify(letter)}\nthen\nsay Marta knows.` });
  const question = await phone.answer(4);
  expect(question.text).toContain(marta);
  expect(question.buttons.map(({ title }) => title)).toEqual(["Approve", "Discard"]);
  expect(await mailsTo(env.MAILBOX_SIMULATOR, marta)).toEqual([]);
  await phone.send({ type: "press", message_id: question.id, id: question.buttons[0]?.id });
  expect((await phone.answer(5)).text).toBe("Marta knows.");
  expect(await mailsTo(env.MAILBOX_SIMULATOR, marta)).toMatchObject([{ subject: "The proof" }]);
  await phone.send({ type: "press", message_id: question.id, id: question.buttons[1]?.id });
  expect((await phone.answer(6)).text).toContain("This is over");

  const { chats } = await person.take(listChats, { query: { view: "all" } });
  expect(chats).toMatchObject([{ isRead: false }]);
  const id = chats[0]?.id ?? "";
  await phone.tell();
  const { messages } = await until("the answers are reported as arrived", async () => {
    const page = await person.take(listMessages, { params: { id } });
    return page.messages.filter(({ answer_messaging: answer }) => answer?.state === "delivered").length === 4 ? page : null;
  });
  expect(messages.map(({ role, messaging, trigger }) => [role, messaging?.kind ?? trigger])).toEqual([
    ["user", "text"],
    ["assistant", "messaging"],
    ["user", "voice"],
    ["assistant", "messaging"],
    ["user", "picture"],
    ["assistant", "messaging"],
    ["user", "text"],
    ["assistant", "messaging"],
  ]);
  expect(messages[2]).toMatchObject({ content: "say I heard you.", attachments: [{ kind: "audio", name: "voice-note.ogg" }] });
  expect(messages[4]).toMatchObject({ attachments: [{ kind: "image", type: "image/png" }] });
  expect(messages.at(-1)?.cost).toBeGreaterThan(0);
  // The number is shown to its owner alone.
  expect(messages[0]?.messaging?.from).toBe(phone.number);
  const editor = await signIn();
  await share(person, id, editor.email, "editor");
  const seen = await editor.take(listMessages, { params: { id } });
  expect(seen.messages[0]?.messaging).toMatchObject({ app: "whatsapp", from: null });
  expect(JSON.stringify(seen)).not.toContain(phone.number.slice(1));
  const recording = await person.fetch(messages[2]?.attachments[0]?.url ?? "");
  expect(await recording.text()).toContain("say I heard you.");
});
