import { expect, it } from "vitest";
import { blockUser, unblockUser } from "#shared/contracts/account/admin.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { listMails } from "#shared/contracts/chat/mails.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { addressOfChat, deliver } from "#test/support/incoming.ts";
import { share } from "#test/support/shared-chat.ts";
import { signIn, signInAdministrator } from "#test/support/worker.ts";

it("A blocked account has the mail to its chats refused for now, whoever writes it, and taken once it is unblocked", async () => {
  const [admin, person, editor] = [await signInAdministrator(), await signIn(), await signIn()];
  const { chat } = await person.take(createChat, { body: {} });
  const to = await addressOfChat(person, chat.id);
  await share(person, chat.id, editor.email, "editor");
  await admin.take(blockUser, { params: { id: person.user.id }, body: { reason: "Spam" } });
  for (const from of [person.email, editor.email, "stranger@elsewhere.example"]) {
    await expect(deliver({ from, to, text: "say at their cost" })).rejects.toThrow("takes no more mail for now");
  }
  expect((await editor.take(listMails, { params: { id: chat.id } })).emails).toEqual([]);
  expect((await editor.take(listMessages, { params: { id: chat.id } })).messages).toEqual([]);
  await admin.take(unblockUser, { params: { id: person.user.id }, body: {} });
  expect(await deliver({ from: editor.email, to, text: "say again" })).toEqual({ rejected: null });
});
