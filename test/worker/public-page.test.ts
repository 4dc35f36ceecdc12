import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createChat, getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { importChat } from "#shared/contracts/chat/copies.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { copyPublicChat, getPublicChat } from "#shared/contracts/chat/sharing.ts";
import { listTodos } from "#shared/contracts/chat/todos.ts";
import { COPY_CONFIRMATION_MS } from "#shared/limits.ts";
import { listedSources } from "#shared/markdown/listed-sources.ts";
import { exportedChat } from "#test/support/exported-chat.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, signInByMail, visit, visitor } from "#test/support/worker.ts";

const XSS = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) ![pixel](https://evil.example/p.png) "quoted"';

function publish(by: Client, chatId: string, isPublic = true) {
  return by.take(updateChat, { params: { id: chatId }, body: { public: isPublic } });
}

async function pageOf(client: Client, path: string) {
  const response = await client.fetch(path);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

it("a published chat's page is readable HTML of what was said, who published it and which model wrote it, with nothing of anybody else", async () => {
  const {
    owner,
    chatId,
    replyId: parentId,
    as,
  } = await startSharedChat(["editor"], "reason Behind it. say # Answer\\n\\n**bold** words, $\\frac{1}{2}$");
  const editor = as("editor");
  const body = { id: crypto.randomUUID(), parent_id: parentId, content: "say from an editor", model_id: CHEAP_MODEL };
  const { replyId } = await editor.take(sendMessage, { params: { id: chatId }, body });
  await readReply(editor, { chatId, replyId });
  expect((await publish(owner, chatId)).chat.public).toBe(true);
  const { status, headers, html } = await pageOf(visitor(), `/p/${chatId}`);
  expect(status).toBe(200);
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; font-src 'self'; img-src 'self';.* require-trusted-types-for 'script'; trusted-types 'none'; report-uri \/policy-reports$/,
  );
  expect(html).toContain(`<b dir="auto">${owner.user.display_name}</b> published this on`);
  expect(html).toContain("from an editor");
  expect(html).toContain("GPT-5 mini");
  expect(html).toMatch(/<meta property="og:title" content="[^"]+">/);
  expect(html).toContain("4 messages");
  expect(html).toContain("<math><semantics><mrow><mfrac><mn>1</mn><mn>2</mn></mfrac>");
  for (const secret of [editor.user.display_name, editor.email, owner.email, editor.user.id, owner.user.id, 'style="'])
    expect(html).not.toContain(secret);
  const { chat } = await visitor().take(getPublicChat, { params: { id: chatId }, query: {} });
  expect(Object.keys(chat.messages[0] ?? {}).toSorted()).toEqual(["citations", "content", "created_at", "id", "model_id", "role"]);
});

it("a published chat's page has the words of the path alone: no reasoning, tool call, error, cost, file, todo, person or other branch, nor has a copy of it", async () => {
  const owner = await signIn();
  const [ask, answer, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const call = {
    tool: "sendEmail",
    arguments: '{"to":"canary-input"}',
    edited_input: '{"to":"canary-edited"}',
    output: "canary-output",
    status: "done" as const,
    decision: "approve" as const,
    at: 0,
    sources: [{ url: "https://canary-source.example/", title: "canary-title", error: null }],
    images: [],
    parts: [{ id: "canary-part", title: "canary-step", text: "canary-words", status: "done" as const, cost: null, model_id: null }],
    cost: 0.4242,
    duration_ms: 424_242,
  };
  const round = { text_end: 0, reasoning_end: 0, reasoning_ms: 0, usage: null, calls: [call] };
  const file = { name: "canary-file.txt", type: "text/plain", size: 1, kind: "text" as const };
  const replied = {
    id: answer,
    parent_id: ask,
    role: "assistant" as const,
    content: "Also in the open",
    reasoning: "canary-reasoning",
    tool_rounds: [round],
    cost: 0.4242,
    error: { code: "STREAM_FAILED", message: "canary-error", action: "none" as const, retryAfter: null },
  };
  const body = exportedChat([
    { id: ask, parent_id: null, role: "user", content: "In the open", author: "Canary Person", attachments: [file] },
    { id: other, parent_id: ask, role: "assistant", content: "canary-branch" },
    replied,
  ]);
  const params = { id: (await owner.take(importChat, { body })).chat.id };
  await runInDurableObject(env.CHAT_ROOM.getByName(params.id), (_, { storage }) => {
    storage.sql.exec(
      "INSERT INTO todos (id, text, status, order_index, created_at) VALUES (?, 'canary-todo', 'complete', 0, ?)",
      crypto.randomUUID(),
      "2026-11-20T09:41:00.000Z",
    );
  });
  const canary = /canary|424242|0\.4242/i;
  const ownerView = JSON.stringify([await owner.take(listMessages, { params }), await owner.take(listTodos, { params })]);
  expect(ownerView.match(new RegExp(canary, "gi"))?.length).toBeGreaterThan(12);
  await publish(owner, params.id);
  const reader = await signIn();
  const shown = [
    (await pageOf(visitor(), `/p/${params.id}`)).html,
    JSON.stringify(await visitor().take(getPublicChat, { params, query: {} })),
    JSON.stringify(await reader.take(copyPublicChat, { params, body: {} })),
  ];
  const chats = await until("the copy in the list", async () => {
    const list = (await reader.take(listChats, {})).chats;
    return list.length === 1 ? list : null;
  });
  const copy = { params: { id: chats[0]?.id ?? "" } };
  shown.push(JSON.stringify([chats, await reader.take(listMessages, copy), await reader.take(listTodos, copy)]));
  shown.push(await (await reader.fetch(`/api/chat/${copy.params.id}/export?format=json`)).text());
  for (const text of shown) expect(text).not.toMatch(canary);
  expect(shown[0]).toContain("Also in the open");
  expect(shown[3]).toContain("Also in the open");
});

it("a published chat's page offers visitors and guests About and Login, and the way back; whoever has signed in has no need of them", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say for everyone");
  await publish(owner, chatId);
  const offers = (html: string) => [
    /popovertarget="about">About</.test(html),
    /href="(\/auth\/login[^"]*)">Login</.exec(html)?.[1] ?? null,
  ];
  const login = `/auth/login?returnUrl=${encodeURIComponent(`/p/${chatId}?page=1`)}`;
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  for (const reader of [visitor(), guest]) expect(offers((await pageOf(reader, `/p/${chatId}?page=1`)).html)).toEqual([true, login]);
  for (const reader of [owner, await signIn()]) expect(offers((await pageOf(reader, `/p/${chatId}?page=1`)).html)).toEqual([false, null]);
  expect((await pageOf(visitor(), `/p/${chatId}`)).html).toContain(`}, ${COPY_CONFIRMATION_MS});`);
});

it("a published chat's page lists the sources that the chat lists, under the numbers that the text has for them", async () => {
  const owner = await signIn();
  const [ask, firstAnswer, again] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const citations = [
    { url: "https://mail.example/someone", title: "A person" },
    { url: "https://found.example/unused", title: "Found, and not used" },
    { url: "https://www.rivers.example/weirs", title: "Weirs" },
  ];
  const body = exportedChat([
    { id: ask, parent_id: null, role: "user", content: "Which weirs are left?" },
    { id: firstAnswer, parent_id: ask, role: "assistant", content: "Two of them [3].", citations },
    { id: again, parent_id: firstAnswer, role: "user", content: "And where is that from?" },
    { id: crypto.randomUUID(), parent_id: again, role: "assistant", content: "All of it.", citations },
  ]);
  const { chat } = await owner.take(importChat, { body });
  await runInDurableObject(env.CHAT_ROOM.getByName(chat.id), (_, { storage }) => {
    storage.sql.exec("UPDATE messages SET citations = replace(citations, 'https://mail.example/', 'mailto:')");
  });
  await publish(owner, chat.id);
  const { html } = await pageOf(visitor(), `/p/${chat.id}`);
  const lists = [...html.matchAll(/<ul class="sources".*?<\/ul>/gs)].map(([list]) =>
    list
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  expect(lists).toEqual(["Sources 3 rivers.example", "Sources 2 found.example 3 rivers.example"]);
  const stored = (await owner.take(listMessages, { params: { id: chat.id } })).messages;
  const inChat = stored
    .filter(({ role }) => role === "assistant")
    .map((message) => listedSources(message.content, message.citations).map(({ number, host }) => `${number} ${host}`));
  expect(inChat.map((list) => `Sources ${list.join(" ")}`)).toEqual(lists);
});

it("a published chat's page runs nothing that is written in it and loads nothing from elsewhere", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, `say ${XSS}`);
  await owner.take(updateChat, { params: { id: chatId }, body: { title: XSS, public: true } });
  const { html } = await pageOf(visitor(), `/p/${chatId}`);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<img|href="(?!https:|\/|#)/);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).toContain('<a href="https://evil.example/p.png" target="_blank" rel="nofollow noopener noreferrer">pixel</a>');
});

it("a published chat's page shows a text that was made to keep its reader busy as it was written, and the others as they look", async () => {
  const owner = await signIn();
  const hostile = "> a\n\n".repeat(15_000);
  const body = exportedChat([
    { id: crypto.randomUUID(), parent_id: null, role: "user", content: hostile },
    { id: crypto.randomUUID(), parent_id: null, role: "assistant", content: "**bold**" },
  ]);
  const [ask, answer] = body.messages;
  if (ask && answer) answer.parent_id = ask.id;
  const chatId = (await owner.take(importChat, { body })).chat.id;
  await publish(owner, chatId);
  const pages = [(await pageOf(visitor(), `/p/${chatId}`)).html, (await pageOf(visitor(), `/p/${chatId}?page=2`)).html].join("");
  expect(pages).toContain('<p dir="auto" class="raw">&gt; a\n\n&gt; a');
  expect(pages).toContain("<strong>bold</strong>");
});

it("a published chat's page is there only while it is published, and says the same of what never was", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say for a while");
  const unknown = await pageOf(visitor(), `/p/${crypto.randomUUID()}`);
  expect(unknown.status).toBe(404);
  expect((await pageOf(visitor(), `/p/${chatId}`)).html).toBe(unknown.html);
  await publish(owner, chatId);
  expect((await pageOf(visitor(), `/p/${chatId}`)).html).toContain("for a while");
  expect((await pageOf(visitor(), `/p/${chatId}?page=2`)).html).toBe(unknown.html);
  await publish(owner, chatId, false);
  for (const address of [chatId, "nonsense", `${chatId}?page=0`]) {
    const { status, html } = await pageOf(visitor(), `/p/${address}`);
    expect({ status, html }).toEqual({ status: 404, html: unknown.html });
  }
  expect(await visitor().call(getPublicChat, { params: { id: chatId }, query: {} })).toMatchObject({ error: { code: "NOT_FOUND" } });
});

it("a published chat's page shows later messages, and long chats in pages", async () => {
  const owner = await signIn();
  const long = "word ".repeat(12_000);
  const { chatId, replyId: first } = await startChatAndRead(owner, `say one ${long}`);
  await publish(owner, chatId);
  expect((await pageOf(visitor(), `/p/${chatId}`)).html).not.toContain("say two");
  const body = { id: crypto.randomUUID(), parent_id: first, content: "say two", model_id: CHEAP_MODEL };
  const { replyId } = await owner.take(sendMessage, { params: { id: chatId }, body });
  await readReply(owner, { chatId, replyId });
  const { chat } = await visitor().take(getPublicChat, { params: { id: chatId }, query: {} });
  expect(chat).toMatchObject({ page: 1, messageCount: 4 });
  expect(chat.pages).toBeGreaterThan(1);
  const last = await pageOf(visitor(), `/p/${chatId}?page=${chat.pages}`);
  expect(last.html).toContain("say two");
  expect(last.html).toContain(`<a href="?page=${chat.pages - 1}">Earlier messages</a>`);
});

it("a published chat's page is where visitors and strangers are sent from the chat's own address, and leads members back", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say come in");
  const stranger = await signIn();
  expect(await stranger.call(getChat, { params: { id: chatId } })).toMatchObject({ error: { code: "NOT_FOUND" } });
  expect((await visit(`/c/${chatId}`)).status).toBe(200);
  await publish(owner, chatId);
  const response = await visit(`/c/${chatId}`);
  expect([response.status, response.headers.get("location")]).toEqual([302, `/p/${chatId}`]);
  // What the address brings along is shown in the application, which this page is no part of.
  const bringing = async (path: string) => (await visit(path)).headers.get("location");
  expect(await bringing(`/c/${chatId}?share_context=t`)).toBe(`/p/${chatId}?share_context=t`);
  expect(await bringing(`/p/${chatId}?share_context=t&page=2`)).toBe("/?share_context=t");
  expect(await bringing(`/p/${chatId}?gmail_error=not+today&invite=A`)).toBe("/?invite=A&gmail_error=not+today");
  expect(await stranger.call(getChat, { params: { id: chatId } })).toMatchObject({ status: 404, error: { code: "PUBLIC_PAGE_ONLY" } });
  for (const path of ["/messages", "/todos", "/shares", "/export"])
    expect((await stranger.fetch(`/api/chat/${chatId}${path}`)).status).toBe(404);
  expect((await pageOf(owner, `/p/${chatId}`)).html).toContain(`href="/c/${chatId}"`);
  expect((await pageOf(stranger, `/p/${chatId}`)).html).not.toContain(`href="/c/${chatId}"`);
});

it("continuing in an own copy takes the words alone, once for one state of the chat", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say copied");
  await publish(owner, chatId);
  const reader = await signIn();
  const { chat } = await reader.take(copyPublicChat, { params: { id: chatId }, body: {} });
  expect(chat).toMatchObject({ permissionLevel: "owner", public: false, forked_from: { chat_id: chatId } });
  const { messages } = await reader.take(listMessages, { params: { id: chat.id } });
  expect(messages.map(({ role, content, author, status }) => ({ role, content, author, status }))).toEqual([
    { role: "user", content: "say copied", author: null, status: "done" },
    { role: "assistant", content: "copied", author: null, status: "done" },
  ]);
  expect((await reader.take(copyPublicChat, { params: { id: chatId }, body: {} })).chat.id).toBe(chat.id);
  expect(await visitor().call(copyPublicChat, { params: { id: chatId }, body: {} })).toMatchObject({ status: 401 });
  const next = { id: crypto.randomUUID(), parent_id: messages[1]?.id ?? null, content: "say on", model_id: CHEAP_MODEL };
  expect((await reader.call(sendMessage, { params: { id: chat.id }, body: next })).status).toBe(202);
});

it("continuing in an own copy leads a visitor through signing in, and makes a copy only for who asked for it", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say on and on");
  await publish(owner, chatId);
  const reader = visitor();
  const asked = await reader.fetch(`/p/${chatId}/continue`, { method: "POST" });
  expect([asked.status, asked.headers.get("location")]).toEqual([
    303,
    `/auth/login?returnUrl=${encodeURIComponent(`/p/${chatId}/continue`)}`,
  ]);
  const signedIn = await signInByMail(reader);
  const back = await signedIn.fetch(`/p/${chatId}/continue`);
  const place = back.headers.get("location") ?? "";
  expect(place).toMatch(/^\/c\/[0-9a-f-]{36}$/);
  expect((await signedIn.take(listMessages, { params: { id: place.slice(3) } })).messages).toHaveLength(2);
  // What was unpublished meanwhile is said to be gone, on a page and not as data.
  await publish(owner, chatId, false);
  const afterUnpublish = await signedIn.fetch(`/p/${chatId}/continue`, { method: "POST" });
  expect([afterUnpublish.status, await afterUnpublish.text()]).toEqual([404, (await pageOf(visitor(), `/p/${chatId}`)).html]);
  await publish(owner, chatId);
  // A link from elsewhere copies nothing.
  const other = await signIn();
  expect((await other.fetch(`/p/${chatId}/continue`)).headers.get("location")).toBe(`/p/${chatId}`);
  expect((await other.fetch(`/p/${chatId}/continue`, { method: "POST", headers: { origin: "https://evil.example" } })).status).toBe(403);
});
