import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createChat, deleteChat } from "#shared/contracts/chat/chats.ts";
import { decideSender, getMail, getRawMail, listMails, renewMailAddress } from "#shared/contracts/chat/mails.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { type Person, refusal, addressOf, signIn } from "#test/support/worker.ts";
import { findByMailToken } from "#worker/people/owned-chats/owned-chats.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { rawMailKey } from "#worker/mail/chat-address/room-mail.ts";

let owner: Person;

beforeAll(async () => {
  owner = await signIn();
});

async function newChat(): Promise<string> {
  return (await owner.take(createChat, { body: {} })).chat.id;
}

const chatOf = async (address: string | null) => (await findByMailToken(openDatabase(env.DB), address?.split("@")[0] ?? ""))?.id ?? null;

it("a chat's address has 128 random bits, stays until it is renewed, and goes with the chat", async () => {
  const id = await newChat();
  const { address, emails } = await owner.take(listMails, { params: { id } });
  expect(address).toMatch(/^[\da-f]{32}@chats\.localhost$/);
  expect(emails).toEqual([]);
  expect((await owner.take(listMails, { params: { id } })).address).toBe(address);
  expect(await chatOf(address)).toBe(id);
  const { address: renewed } = await owner.take(renewMailAddress, { params: { id }, body: {} });
  expect(renewed).toMatch(/^[\da-f]{32}@chats\.localhost$/);
  expect([renewed === address, await chatOf(address), await chatOf(renewed)]).toEqual([false, null, id]);
  await owner.take(deleteChat, { params: { id } });
  expect(await chatOf(renewed)).toBeNull();
});

it("a chat's address is made for a chat that has none yet", async () => {
  const id = await newChat();
  await env.DB.prepare("UPDATE chats SET mail_token = NULL WHERE id = ?").bind(id).run();
  const { address } = await owner.take(listMails, { params: { id } });
  expect(await chatOf(address)).toBe(id);
});

it("a chat's mails come newest first, in pages, with the beginning of their text", async () => {
  const id = await newChat();
  const mailIds = [];
  for (const subject of ["One", "Two", "Three"])
    mailIds.push(await addMailToRoom(id, { subject, text_body: "x".repeat(3_000), quoted_body: "old" }));
  const first = await owner.take(listMails, { params: { id }, query: { limit: 2 } });
  const second = await owner.take(listMails, { params: { id }, query: { limit: 2, cursor: first.nextCursor ?? "" } });
  expect([...first.emails, ...second.emails].map(({ subject }) => subject)).toEqual(["Three", "Two", "One"]);
  expect(second.nextCursor).toBeNull();
  expect(first.emails[0]).toMatchObject({ text_body: "x".repeat(1_000), is_cut: true, quoted_body: null, direction: "in" });
  const { email } = await owner.take(getMail, { params: { id, mailId: mailIds[0]?.id ?? "" } });
  expect(email).toMatchObject({ text_body: "x".repeat(3_000), is_cut: false, quoted_body: "old", authentication: { result: "pass" } });
});

it("a chat's mails are nobody's to see who only reads the chat", async () => {
  const id = await newChat();
  const { id: mailId } = await addMailToRoom(id);
  const [viewer, editor, stranger] = await Promise.all([signIn(), signIn(), signIn()]);
  for (const [{ email }, permissionLevel] of [[viewer, "viewer"] as const, [editor, "editor"] as const])
    await owner.take(shareChat, { params: { id }, body: { type: "user", email, permissionLevel } });
  for (const endpoint of [listMails, getMail]) {
    const asked = await Promise.all([viewer, editor, stranger].map((one) => one.call(endpoint, { params: { id, mailId } })));
    expect(asked.map(refusal)).toEqual(["FORBIDDEN", undefined, "NOT_FOUND"]);
  }
});

it("a chat's mails give out their source to download and in no other way", async () => {
  const id = await newChat();
  const { id: mailId } = await addMailToRoom(id, { raw_object: "raw", raw_size: 5, subject: "<script>\r\nx" });
  await env.FILES.put(rawMailKey(id, "raw"), "A: b\n");
  const response = await owner.fetch(addressOf(getRawMail, { params: { id, mailId } }));
  expect([response.status, await response.text()]).toEqual([200, "A: b\n"]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/octet-stream",
    "x-content-type-options": "nosniff",
  });
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="/);
  await owner.take(deleteChat, { params: { id } });
  expect(await env.FILES.head(rawMailKey(id, "raw"))).toBeNull();
});

describe("a sender in quarantine", () => {
  const decide = (id: string, mailId: string, decision: "allow_once" | "allow_always" | "block") =>
    owner.call(decideSender, { params: { id, mailId }, body: { decision } });
  const statesOf = async (id: string) => (await owner.take(listMails, { params: { id } })).emails.map(({ state }) => state);

  it("a sender in quarantine is allowed once, or always with all that waits of what is proven", async () => {
    const id = await newChat();
    const [once, , always] = [
      await addMailToRoom(id, { state: "quarantined" }),
      await addMailToRoom(id, { state: "quarantined", authentication: { result: "fail", by: null } }),
      await addMailToRoom(id, { state: "quarantined" }),
      await addMailToRoom(id, { state: "quarantined" }),
    ];
    await decide(id, once.id, "allow_once");
    expect(await statesOf(id)).toEqual(["quarantined", "quarantined", "quarantined", "received"]);
    await decide(id, always.id, "allow_always");
    expect(await statesOf(id)).toEqual(["received", "received", "quarantined", "received"]);
  });

  it("a sender in quarantine is not always allowed for a mail that is not proven to be theirs", async () => {
    const id = await newChat();
    const mail = await addMailToRoom(id, { state: "quarantined", authentication: { result: "none", by: null } });
    expect(refusal(await decide(id, mail.id, "allow_always"))).toBe("INVALID_INPUT");
    expect(await statesOf(id)).toEqual(["quarantined"]);
    expect((await decide(id, mail.id, "allow_once")).ok).toBe(true);
  });

  it("a sender in quarantine is blocked with all of theirs that waits", async () => {
    const id = await newChat();
    const [first] = [
      await addMailToRoom(id, { state: "quarantined" }),
      await addMailToRoom(id, { state: "quarantined" }),
      await addMailToRoom(id),
    ];
    await decide(id, first.id, "block");
    expect(await statesOf(id)).toEqual(["received", "blocked", "blocked"]);
  });
});
