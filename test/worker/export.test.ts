import { expect, it } from "vitest";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { editMessage } from "#shared/contracts/chat/messages.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { EXPORT_LENGTH, IMPORT_BYTES } from "#shared/limits.ts";
import { exportedChat } from "#test/support/exported-chat.ts";
import { readReply, startChatAndRead } from "#test/support/replies.ts";
import { type Client, signIn } from "#test/support/worker.ts";
import { toJson } from "#worker/conversation/chats/export-chat.ts";
import { toMarkdown } from "#worker/conversation/chats/to-markdown.ts";

async function download(client: Client, chatId: string, format: string) {
  const response = await client.fetch(`/api/chat/${chatId}/export?format=${format}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function branchedChat(client: Client) {
  const chat = await startChatAndRead(client, 'call addTodoItem {"text":"Read"}\nthen\nsay one');
  const body = { id: crypto.randomUUID(), content: "say *changed*" };
  const edited = await client.take(editMessage, { params: { id: chat.chatId, messageId: chat.messageId }, body });
  await readReply(client, { chatId: chat.chatId, replyId: edited.replyId });
  await client.take(updateChat, { params: { id: chat.chatId }, body: { title: 'A "title" / ünï' } });
  return { ...chat, edited };
}

it("an exported chat as JSON holds every branch, tool call and cost", async () => {
  const user = await signIn();
  const { chatId, messageId, replyId, edited } = await branchedChat(user);
  const { headers, text } = await download(user, chatId, "json");
  expect(headers.get("content-disposition")).toBe(
    `attachment; filename="A _title_ _ _n_.json"; filename*=UTF-8''A%20%22title%22%20%2F%20%C3%BCn%C3%AF.json`,
  );
  const chat = ExportedChat.parse(JSON.parse(text));
  expect(chat).toMatchObject({ version: 1, title: 'A "title" / ünï', head_id: edited.replyId });
  expect(chat.messages.map(({ id, parent_id }) => [id, parent_id])).toEqual([
    [messageId, null],
    [replyId, messageId],
    [edited.messageId, null],
    [edited.replyId, edited.messageId],
  ]);
  expect(chat.messages[1]).toMatchObject({ status: "done", author: null, content: "one" });
  expect(chat.messages[1]?.cost).toBeGreaterThan(0);
  expect(chat.messages[1]?.tool_rounds).toMatchObject([{ calls: [{ tool: "addTodoItem", status: "done" }] }]);
  expect(chat.messages[0]?.author).toBe(user.user.display_name);
});

it("an exported chat as markdown holds the path that is looked at", async () => {
  const user = await signIn();
  const { chatId } = await branchedChat(user);
  const { headers, text } = await download(user, chatId, "markdown");
  expect(headers.get("content-type")).toContain("text/markdown");
  expect(text).toContain('# A "title" / ünï');
  expect(text).toContain("say *changed*");
  expect(text).not.toContain("addTodoItem");
});

it("an exported chat names files, sources and how an answer ended, with nothing in their names taken for markdown", () => {
  const message = {
    id: crypto.randomUUID(),
    parent_id: null,
    role: "assistant" as const,
    content: "See [1].",
    author: null,
    model_id: "openai/gpt-5",
    requested_model_id: null,
    autopilot: null,
    persona: null,
    status: "stopped" as const,
    reasoning: null,
    reasoning_ms: null,
    tool_rounds: [],
    attachments: [{ name: "a_b*.pdf", type: "application/pdf", size: 1, kind: "pdf" as const }],
    citations: [{ url: "https://example.org/a b>", title: "A [link](x)" }],
    cost: null,
    usage: null,
    finish_reason: null,
    error: null,
    created_at: "2026-11-20T09:41:00.000Z",
  };
  const chat = {
    format: "polylogue-chat" as const,
    version: 1 as const,
    exported_at: "2026-11-21T09:41:00.000Z",
    title: "",
    model_id: null,
    tool_categories: [],
    created_at: message.created_at,
    forked_from: null,
    head_id: message.id,
    messages: [message],
    compactions: [],
  };
  expect(toMarkdown(chat)).toBe(
    [
      "# New Chat",
      "_Exported from Polylogue on 2026-11-21_",
      "## openai/gpt-5",
      "See [1].",
      "- Attached: a\\_b\\*.pdf",
      "_This answer was stopped._",
      "**Sources**",
      "1. [A \\[link\\](x)](<https://example.org/a%20b%3E>)\n",
    ].join("\n\n"),
  );
});

it("an exported chat can be imported again whatever its letters, in lines where there is room for them, or is refused", () => {
  const messages = (content: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: crypto.randomUUID(),
      parent_id: null,
      role: n % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content,
    }));
  expect(toJson(exportedChat(messages("\u6f22", 2)))).toContain('\n  "messages": [\n');
  const long = toJson(exportedChat(messages("\u6f22".repeat(1_950), 5_000)));
  expect(long.length).toBeGreaterThan(8_000_000);
  expect(long.length).toBeLessThanOrEqual(EXPORT_LENGTH);
  expect(long.includes("\n")).toBe(false);
  expect(new TextEncoder().encode(long).byteLength).toBeLessThanOrEqual(IMPORT_BYTES);
  expect(() => toJson(exportedChat(messages("\u0001".repeat(3_000_000), 1)))).toThrow(
    expect.objectContaining({ code: "PAYLOAD_TOO_LARGE", message: expect.stringContaining("as Markdown") }),
  );
});

it("an exported chat is for those who may read it alone, and in a format there is", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "say mine");
  expect((await download(await signIn(), chatId, "json")).status).toBe(404);
  expect((await download(user, chatId, "exe")).status).toBe(400);
});
