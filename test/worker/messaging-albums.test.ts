import { expect, it } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { linkedPhone } from "#test/support/messaging.ts";

it("pictures that are sent at once are one message, before what is written after them", async () => {
  const { person, phone } = await linkedPhone();
  await phone.send({ type: "image", caption: "say Three fine pictures." });
  await phone.send({ type: "image" });
  await phone.send({ type: "image" });
  expect((await phone.answer(1)).text).toContain("Three fine pictures.");

  await phone.send({ type: "image", caption: "say Another one." });
  await phone.send({ type: "text", body: "say Well." });
  expect((await phone.answer(2)).text).toContain("Another one.");
  expect((await phone.answer(3)).text).toContain("Well.");

  const { chats } = await person.take(listChats, { query: { view: "all" } });
  expect(chats).toHaveLength(1);
  const { messages } = await person.take(listMessages, { params: { id: chats[0]?.id ?? "" } });
  const asked = messages.filter(({ role }) => role === "user");
  expect(asked.map(({ content, attachments }) => [content, attachments.length])).toEqual([
    ["say Three fine pictures.", 3],
    ["say Another one.", 1],
    ["say Well.", 0],
  ]);
});
