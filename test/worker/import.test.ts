import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat, importChat } from "#shared/contracts/chat/copies.ts";
import { editMessage, listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { createPersona, deletePersona } from "#shared/contracts/library/personas.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { ExportedChat, type ExportedMessage } from "#shared/sharing/exported-chat.ts";
import { BODY_DEPTH, CHAT_TITLE_LENGTH, EXPORT_LENGTH, IMPORT_BYTES, IMPORTS_PER_HOUR } from "#shared/limits.ts";
import { exportedChat, exportedMessage, longExport } from "#test/support/exported-chat.ts";
import { CHEAP_MODEL, readReply, settledOf, startChatAndRead, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";

const SEED = 20261121;

let user: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  user = await signIn();
});

async function exportOf(client: Client, chatId: string): Promise<ExportedChat> {
  return ExportedChat.parse(await (await client.fetch(`/api/chat/${chatId}/export?format=json`)).json());
}

async function take(client: Client, file: ExportedChat) {
  return (await client.take(importChat, { body: file })).chat;
}

async function messagesOf(client: Client, id: string) {
  return (await client.take(listMessages, { params: { id } })).messages;
}

/** A chat without what is new in each copy: its messages' ids become their places. */
function withoutIds({ exported_at: _exported, created_at: _created, ...chat }: ExportedChat): unknown {
  const places = new Map(chat.messages.map(({ id }, index) => [id, String(index)]));
  const place = (id: string | null) => id && places.get(id);
  return {
    ...chat,
    head_id: place(chat.head_id),
    messages: chat.messages.map((message) => ({ ...message, id: place(message.id), parent_id: place(message.parent_id) })),
    compactions: chat.compactions
      .map((made) => ({ ...made, question_id: place(made.question_id), last_id: place(made.last_id) }))
      .toSorted((one, other) => Number(one.question_id) - Number(other.question_id)),
  };
}

const text = fc.string({ unit: "grapheme", maxLength: 30 });
const number = fc.nat({ max: 100_000 });
const dollars = fc.option(number.map((micros) => micros / 1_000_000));
const page = fc.webUrl();
const usage = fc.option(fc.record({ prompt_tokens: number, completion_tokens: number, reasoning_tokens: number, duration_ms: number }));
const time = fc.date({ min: new Date("2024-01-01"), max: new Date("2026-12-31"), noInvalidDate: true }).map((at) => at.toISOString());

const call = fc.record({
  tool: fc.constantFrom("parallelWebSearch", "gone tool"),
  arguments: fc.oneof(fc.json({ maxDepth: 2 }), text),
  edited_input: fc.option(text),
  status: fc.constantFrom("done" as const, "failed" as const, "discarded" as const, "stopped" as const),
  decision: fc.option(fc.constantFrom("approve" as const, "always" as const)),
  at: number,
  output: fc.option(text),
  sources: fc.array(
    fc.oneof(
      fc.record({ url: page, title: fc.option(text), error: fc.constant(null) }),
      fc.record({ url: text, title: fc.option(text), error: text }),
    ),
    { maxLength: 2 },
  ),
  images: fc.array(fc.record({ url: fc.constant("/api/media/c2ln/YWRkcmVzcw"), page_url: page, title: fc.option(text) }), { maxLength: 2 }),
  parts: fc.array(
    fc.record({
      id: text,
      title: text,
      model_id: fc.option(text),
      text,
      status: fc.constantFrom("done" as const, "failed" as const),
      cost: dollars,
    }),
    { maxLength: 2 },
  ),
  cost: dollars,
  duration_ms: fc.option(number),
});

const question = fc.record({
  content: text,
  created_at: time,
  attachments: fc.array(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 20 }),
      type: fc.constant("image/png"),
      size: number,
      kind: fc.constant("image" as const),
    }),
    { maxLength: 2 },
  ),
});

const answer = fc.record({
  content: text,
  created_at: time,
  model_id: fc.option(fc.constant("openai/gpt-5")),
  autopilot: fc.option(fc.record({ model_id: text, tool_categories: fc.array(text, { maxLength: 2 }), reason: text })),
  status: fc.constantFrom("done" as const, "stopped" as const, "failed" as const, "interrupted" as const),
  reasoning: fc.option(text),
  reasoning_ms: fc.option(number),
  tool_rounds: fc.array(
    fc.record({ text_end: number, reasoning_end: number, reasoning_ms: number, usage, calls: fc.array(call, { maxLength: 2 }) }),
    { maxLength: 2 },
  ),
  citations: fc.array(fc.record({ url: page, title: fc.option(text) }), { maxLength: 2 }),
  cost: dollars,
  usage,
  error: fc.option(
    fc.record({ code: text, message: text, action: fc.constantFrom("retry" as const, "none" as const), retryAfter: fc.option(number) }),
  ),
});

const CALL = {
  tool: "x",
  arguments: "{}",
  edited_input: null,
  status: "done" as const,
  decision: null,
  at: 0,
  output: null,
  sources: [],
  images: [],
  parts: [],
  cost: null,
  duration_ms: null,
};

/** One round of one call, changed by what the test is about. */
function roundOf<Made extends object>(made: Made) {
  return [{ text_end: 0, reasoning_end: 0, reasoning_ms: 0, usage: null, calls: [{ ...CALL, ...made }] }];
}

/** Any tree that a chat can be: a question comes after an answer, or after a question without one, or begins again. */
const anyChat: fc.Arbitrary<ExportedChat> = fc
  .record({
    title: fc.string({ maxLength: CHAT_TITLE_LENGTH }),
    turns: fc.array(fc.tuple(question, answer, fc.nat(), fc.boolean()), { minLength: 1, maxLength: 6 }),
    head: fc.nat(),
    summary: fc.option(text),
    categories: fc.uniqueArray(fc.constantFrom("synthesis", "truth-seeker", "gone-category")),
  })
  .map(({ title, turns, head, summary, categories }) => {
    const messages: ExportedMessage[] = [];
    for (const [asked, answered, above, isAnswered] of turns) {
      const answeredIds = new Set(messages.flatMap(({ role, parent_id: parentId }) => (role === "assistant" ? [parentId] : [])));
      const places = [null, ...messages.map(({ id }) => id).filter((id) => !answeredIds.has(id))];
      const id = crypto.randomUUID();
      messages.push(exportedMessage({ ...asked, id, parent_id: places[above % places.length] ?? null, role: "user" }));
      if (isAnswered) messages.push(exportedMessage({ ...answered, id: crypto.randomUUID(), parent_id: id, role: "assistant" }));
    }
    const ids = messages.map(({ id }) => id);
    const headId = ids[head % ids.length] ?? null;
    const [first = ""] = ids;
    const compactions = summary === null ? [] : [{ question_id: first, last_id: first, status: "done" as const, messages: 1, summary }];
    return { ...exportedChat(messages, { title, tool_categories: categories, compactions }), head_id: headId };
  });

it("an imported chat exported again is the same but for its ids, whatever it holds", async () => {
  let client = user;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(anyChat, async (file) => {
      if ((count += 1) % IMPORTS_PER_HOUR === 1) client = await signIn();
      const again = await exportOf(client, (await take(client, file)).id);
      expect(withoutIds(again)).toEqual(withoutIds(file));
      const ids = new Set(file.messages.map(({ id }) => id));
      expect(again.messages.filter(({ id }) => ids.has(id))).toEqual([]);
    }),
    { seed: SEED, numRuns: 40 },
  );
  // Forty sign-ins, imports and exports where each call takes its time: a limit against hanging.
}, 240_000);

it("an imported chat and a fork name the persona that each answer was given as, with no persona of theirs", async () => {
  const [author, reader] = [await signIn(), await signIn()];
  const { persona } = await author.take(createPersona, { body: { name: "Pirate", content: "Say arr." } });
  const chat = await startChatAndRead(author, "say one");
  const body = { id: crypto.randomUUID(), parent_id: chat.replyId, content: "say two", model_id: CHEAP_MODEL, persona_id: persona.id };
  const { replyId } = await author.take(sendMessage, { params: { id: chat.chatId }, body });
  await readReply(author, { chatId: chat.chatId, replyId });
  const { chat: fork } = await author.take(forkChat, { params: { id: chat.chatId }, body: { messageId: replyId } });
  await author.take(deletePersona, { params: { id: persona.id } });
  const file = await exportOf(author, chat.chatId);
  const imported = await take(reader, file);
  const named = [null, "two", "Pirate"];
  const lastOf = (messages: readonly { content: string; persona?: string | null | undefined }[]) => {
    const [, first, , last] = messages;
    return [first?.persona ?? null, last?.content, last?.persona];
  };
  expect(lastOf(file.messages)).toEqual(named);
  expect(lastOf(await messagesOf(author, fork.id))).toEqual(named);
  expect(lastOf(await messagesOf(reader, imported.id))).toEqual(named);
  expect(imported.persona_id).toBeNull();
  expect(lastOf((await exportOf(reader, imported.id)).messages)).toEqual(named);
});

it("an imported chat is another account's own, costs nobody anything, names files that are gone, and goes on", async () => {
  const chat = await startChatAndRead(user, 'call addTodoItem {"text":"Read"}\nthen\nsay one');
  const params = { id: chat.chatId };
  const file = crypto.randomUUID();
  const put = await user.fetch(`/api/chat/${chat.chatId}/attachments/${file}?name=notes.txt`, { method: "PUT", body: "47 lanterns" });
  expect(put.status).toBe(201);
  const body = { id: crypto.randomUUID(), parent_id: chat.replyId, content: "say two", attachments: [file] };
  const second = await user.take(sendMessage, { params, body });
  await readReply(user, { chatId: chat.chatId, replyId: second.replyId });
  const edit = await user.take(editMessage, {
    params: { ...params, messageId: chat.messageId },
    body: { id: crypto.randomUUID(), content: "say changed" },
  });
  await readReply(user, { chatId: chat.chatId, replyId: edit.replyId });
  await user.take(updateChat, { params, body: { title: "Lamps" } });
  await user.fetch(`/api/chat/${chat.chatId}/messages/${second.replyId}/select`, { method: "POST" });
  const exported = await exportOf(user, chat.chatId);

  const other = await signIn();
  const imported = await take(other, exported);
  expect(imported).toMatchObject({
    title: "Lamps",
    permissionLevel: "owner",
    lastMessagePreview: expect.stringMatching(/^two/),
    isStreaming: false,
  });
  expect(imported.cost).toBeCloseTo(
    exported.messages.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    6,
  );
  expect(imported.cost).toBeGreaterThan(0);
  expect(withoutIds(await exportOf(other, imported.id))).toEqual(withoutIds(exported));
  expect((await other.take(getUsage, { query: { by: "chat" } })).usage).toEqual([]);

  const messages = await messagesOf(other, imported.id);
  expect(messages.map(({ content }) => content.split("\n")[0]).slice(1)).toEqual(["one", "say two", "two"]);
  expect(messages[0]?.author?.id).toBe(other.user.id);
  expect(messages[1]?.tool_calls).toMatchObject([{ tool: "addTodoItem", status: "done", input: { text: "Read" } }]);
  const missingFile = messages[2]?.attachments[0];
  expect(missingFile).toMatchObject({ name: "notes.txt", isMissing: true });
  expect((await other.fetch(missingFile?.url ?? "")).status).toBe(404);

  const next = { id: crypto.randomUUID(), parent_id: messages[3]?.id ?? "", content: "echo", model_id: CHEAP_MODEL };
  const turn = await other.take(sendMessage, { params: { id: imported.id }, body: next });
  const received = await readReply(other, { chatId: imported.id, replyId: turn.replyId });
  expect(settledOf(received).status).toBe("done");
  const rewritten = await other.take(editMessage, {
    params: { id: imported.id, messageId: messages[2]?.id ?? "" },
    body: { id: crypto.randomUUID(), content: "say three" },
  });
  expect(textOf(await readReply(other, { chatId: imported.id, replyId: rewritten.replyId }))).toBe("three");
  await until("the chat in the list", async () => (await other.take(listChats, {})).chats.some(({ id }) => id === imported.id));
});

it("an imported chat keeps several people apart: the importer's name is theirs, every other name nobody's here", async () => {
  const [one = "", two = "", three = "", four = ""] = Array.from({ length: 4 }, () => crypto.randomUUID());
  const file = exportedChat([
    { id: one, parent_id: null, role: "user", author: user.user.display_name },
    { id: two, parent_id: one, role: "assistant", tool_rounds: roundOf({ tool: "blandCall", decision: "approve" }) },
    { id: three, parent_id: two, role: "user", author: "Grace" },
    {
      id: four,
      parent_id: three,
      role: "assistant",
      tool_rounds: roundOf({ tool: "blandCall", decision: "discard", status: "discarded" }),
    },
  ]);
  const messages = await messagesOf(user, (await take(user, file)).id);
  const approvals = messages.flatMap(({ tool_calls: calls }) => calls.map(({ approval }) => approval));
  expect(approvals).toMatchObject([
    { user: { display_name: user.user.display_name }, decision: "approve" },
    { user: { display_name: "Grace" }, decision: "discard" },
  ]);
  // Whoever imports a chat has approved nothing in it.
  expect(approvals.map((approval) => approval?.user.id)).not.toContain(user.user.id);
  expect(messages[0]?.author).toEqual({ id: user.user.id, display_name: user.user.display_name });
  expect(messages[2]?.author?.display_name).toBe("Grace");
  expect(messages[2]?.author?.id).not.toBe(user.user.id);
});

it("an imported chat may have 5,000 messages, and its newest page opens", async () => {
  const chat = await take(user, longExport(5_000));
  const messages = await messagesOf(user, chat.id);
  expect(messages.at(-1)?.content).toContain("Message 5000:");
  expect((await exportOf(user, chat.id)).messages).toHaveLength(5_000);
});

describe("an import", () => {
  const [one, two] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const plain = () =>
    exportedChat([
      { id: one, parent_id: null, role: "user" },
      { id: two, parent_id: one, role: "assistant" },
    ]);
  const answering = (answered: object) => ({ ...plain(), messages: [plain().messages[0], { ...plain().messages[1], ...answered }] });
  const calling = (made: object) => answering({ tool_rounds: roundOf(made) });
  const image = (found: object) =>
    calling({ images: [{ url: "/api/media/c2ln/YQ", page_url: "https://example.org/", title: null, ...found }] });

  it.each<[string, unknown, string]>([
    ["another JSON", { name: "package" }, "This is not a chat that was exported from Polylogue."],
    ["a list", [], "This is not a chat that was exported from Polylogue."],
    ["a later version", { ...plain(), version: 2 }, "This chat was exported by another version of Polylogue."],
    ["a field that no chat has", { ...plain(), owner_id: one }, "This is not a chat that was exported from Polylogue."],
    ["a field that no message has", answering({ payer: one }), "This file was changed or is damaged. (messages.1)"],
    ["a reply that still runs", answering({ status: "streaming" }), "(messages.1.status)"],
    ["a cost below nothing", answering({ cost: -1 }), "(messages.1.cost)"],
    ["a source that is a script", answering({ citations: [{ url: "javascript:alert(1)", title: null }] }), "(messages.1.citations.0.url)"],
    ["a source that is data", answering({ citations: [{ url: "data:text/html,x", title: null }] }), "(messages.1.citations.0.url)"],
    ["a page that is a script", calling({ sources: [{ url: "javascript:x", title: null, error: null }] }), "sources.0"],
    ["an image of another site", image({ url: "https://example.org/track.png" }), "images.0.url"],
    ["an image beside the signed ones", image({ url: "/api/media/../auth/signout" }), "images.0.url"],
    ["an image of a page that is a script", image({ page_url: "javascript:x" }), "images.0.page_url"],
    ["the same id twice", { ...plain(), messages: [plain().messages[0], plain().messages[0]] }, "Two of its messages have the same id."],
    ["an answer to nothing", { ...plain(), messages: [plain().messages[1]] }, "A message answers one that is not there."],
    ["an answer without a question", exportedChat([{ id: one, parent_id: null, role: "assistant" }]), "Its messages don't take turns."],
    [
      "a file of an answer",
      answering({ attachments: [{ name: "a", type: "b", size: 1, kind: "pdf" }] }),
      "A message holds what it cannot hold.",
    ],
    ["a path without an end", { ...plain(), head_id: null }, "The end of its path is not there."],
    [
      "a summary of other messages",
      { ...plain(), compactions: [{ question_id: two, last_id: one, status: "done", messages: 1, summary: "" }] },
      "A summary stands for messages that are not there.",
    ],
  ])("an import refuses %s in words", async (_what, body, words) => {
    const response = await user.fetch("/api/chats/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect({ status: response.status, error: await response.json() }).toMatchObject({
      status: 400,
      error: { code: "INVALID_INPUT", error: expect.stringContaining(words) },
    });
  });

  it("an import refuses a message that no row can hold, and a file above its limit, and leaves no chat behind", async () => {
    const count = () => env.DB.prepare("SELECT count(*) AS n FROM chats WHERE user_id = ?").bind(user.user.id).first<number>("n");
    const before = await count();
    expect(
      await user.call(importChat, { body: exportedChat([{ id: one, parent_id: null, role: "user", content: "ä".repeat(1_000_000) }]) }),
    ).toMatchObject({
      status: 413,
      error: { error: "A message of this chat is too long to be imported." },
    });
    const headers = { "content-type": "application/json" };
    const send = async (body: string) => {
      const response = await user.fetch("/api/chats/import", { method: "POST", headers, body });
      return { status: response.status, text: await response.text() };
    };
    expect(await send(" ".repeat(IMPORT_BYTES + 1))).toEqual({ status: 413, text: expect.stringContaining("36 MB") });
    expect(await send(" ".repeat(EXPORT_LENGTH + 1))).toEqual({ status: 413, text: expect.stringContaining("12 million characters") });
    // In Chinese it takes three times the bytes, and is read to the end.
    const chinese = answering({ author: "\u6f22".repeat(EXPORT_LENGTH - 10_000) });
    expect(await send(JSON.stringify(chinese))).toEqual({ status: 400, text: expect.stringContaining("(messages.1.author)") });
    const deep = `${"[".repeat(BODY_DEPTH + 1)}${"]".repeat(BODY_DEPTH + 1)}`;
    expect((await user.fetch("/api/chats/import", { method: "POST", headers, body: deep })).status).toBe(400);
    expect(await count()).toBe(before);
  });

  it("an import takes a message as long as a row can be, and twenty chats an hour", async () => {
    const other = await signIn();
    const body = exportedChat([{ id: one, parent_id: null, role: "user", content: "\u00e4".repeat(990_000) }]);
    expect((await other.call(importChat, { body })).status).toBe(201);
    const limiter = env.RATE_LIMITER.getByName(`imports:${other.user.id}`);
    const now = Date.now();
    for (let n = 1; n < IMPORTS_PER_HOUR; n += 1) {
      await limiter.take({ limit: IMPORTS_PER_HOUR, since: now - 1_000_000, until: now + 1_000_000 });
    }
    expect(await other.call(importChat, { body: plain() })).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
  });

  it("an import asks guests and visitors to sign in", async () => {
    const guest = visitor();
    expect(await guest.call(importChat, { body: plain() })).toMatchObject({ status: 401 });
    await startChatAndRead(guest, "say mine", "openai/gpt-5-nano");
    expect(await guest.call(importChat, { body: plain() })).toMatchObject({ status: 401, error: { code: "SIGN_IN_REQUIRED" } });
  });
});
