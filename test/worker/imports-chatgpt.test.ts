import { beforeAll, expect, it } from "vitest";
import { getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { importChat } from "#shared/contracts/chat/copies.ts";
import { listMessages, selectVersion } from "#shared/contracts/chat/messages.ts";
import type { Import } from "#shared/imports/import.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { BEGUN, chatgptConversation, plainConversations, plainSteps, richConversation } from "#test/support/imports/chatgpt-export.ts";
import { importFile } from "#test/support/imports/upload-import.ts";
import { zipOf } from "#test/support/imports/zip-of.ts";
import { photo, webp } from "#test/support/pictures.ts";
import { type Person, signIn } from "#test/support/worker.ts";

let user: Person;
let made: Import;
beforeAll(async () => {
  user = await signIn();
  const conversations = JSON.stringify([richConversation(), ...plainConversations(3)]);
  made = await importFile(
    user,
    await zipOf({ "conversations.json": conversations, "file-AbC123photo-holiday.png": photo("png"), "chat.html": "" }),
  );
});

async function chatOf(title: string): Promise<string> {
  const { chats } = await user.take(listChats, {});
  const found = chats.find((chat) => chat.title === title);
  if (!found) throw new Error(`No chat is called ${title}.`);
  return found.id;
}

it("an export of ChatGPT comes with all of its chats, and the report counts what came", () => {
  expect(made).toMatchObject({ state: "done", source: "chatgpt", items: 4, done: 4, notes: [] });
  expect(made.counts).toEqual({
    chat: { came: 4, here: 0, failed: 0 },
    message: { came: 7 + 12, here: 0, failed: 0 },
    branch: { came: 2, here: 0, failed: 0 },
    file: { came: 1, here: 0, failed: 0 },
    persona: { came: 1, here: 0, failed: 0 },
  });
});

it("an export of ChatGPT stands in the list at the times that it is of, read", async () => {
  const { chats } = await user.take(listChats, {});
  const chat = chats.find(({ title }) => title === "Holiday picture");
  expect(chat).toMatchObject({
    created_at: new Date(BEGUN * 1000).toISOString(),
    lastMessageAt: new Date((BEGUN + 210) * 1000).toISOString(),
    lastMessagePreview: "17.5 kilometres.",
    isRead: true,
  });
});

it("an export of ChatGPT keeps the chosen branch, the others as versions, models, thoughts, calls and sources", async () => {
  const id = await chatOf("Holiday picture");
  const { messages } = await user.take(listMessages, { params: { id } });
  expect(messages.map(({ content }) => content.split("\n")[0])).toEqual([
    "What does this picture show?",
    "**Python**",
    "How long is it?",
    "17.5 kilometres.",
  ]);
  const [question, answer, second, last] = messages;
  expect(question?.attachments).toMatchObject([{ name: "holiday.png", type: "image/png", kind: "image" }]);
  expect(answer?.content).toContain("```python\nprint(6 * 7)\n```");
  expect(answer?.content).toContain("```\n42\n```");
  expect(answer?.content).toContain("It shows Lake Thun. ([Lake Thun](https://example.org/thun))");
  expect(answer).toMatchObject({
    reasoning: "**Looking closely**\n\nIt seems to be a lake.",
    reasoning_ms: 4000,
    model_id: "openai/o3",
    cost: null,
  });
  expect(answer?.citations).toEqual([{ url: "https://example.org/thun", title: "Lake Thun" }]);
  expect(answer?.sibling_ids).toHaveLength(2);
  expect(second?.sibling_ids).toHaveLength(2);
  expect(last?.model_id).toBe("gpt-4o");
  const [other] = answer?.sibling_ids.filter((sibling) => sibling !== answer.id) ?? [];
  const page = await user.take(selectVersion, { params: { id, messageId: other ?? "" } });
  expect(page.messages.at(-1)).toMatchObject({ content: "A lake between mountains.", model_id: "gpt-4-gizmo-old" });
});

it("an export of ChatGPT imports the files that are in a ChatGPT archive", async () => {
  const id = await chatOf("Holiday picture");
  const { messages } = await user.take(listMessages, { params: { id } });
  const response = await user.fetch(messages[0]?.attachments[0]?.url ?? "");
  expect(response.headers.get("content-type")).toBe("image/png");
  const storedBytes = new Uint8Array(await response.arrayBuffer());
  expect([storedBytes.length, new TextDecoder().decode(storedBytes).includes("DEG")]).toEqual([photo("png").length, false]);
  expect((await user.take(getChat, { params: { id } })).chat).toMatchObject({ cost: 0 });
});

it("a picture that a model made stands with its answer, and the chat can be exported and imported again", async () => {
  const steps = plainSteps(["Draw a lake."]);
  const picture = { content_type: "image_asset_pointer", asset_pointer: "sediment://file_00000000aa11" };
  const content = { content_type: "multimodal_text", parts: [picture] };
  const drawn = chatgptConversation(
    [...steps, { id: "drawn", parent: "step-0", message: { role: "tool", name: "dalle.text2im", content, at: BEGUN + 5 } }],
    { title: "A drawing" },
  );
  const other = await signIn();
  const file = { "conversations.json": JSON.stringify([drawn]), "dalle-generations/file_00000000aa11-1.webp": webp("VP8 ", 3, 3) };
  expect((await importFile(other, await zipOf(file))).counts.file).toEqual({ came: 1, here: 0, failed: 0 });
  const [chat] = (await other.take(listChats, {})).chats;
  const { messages } = await other.take(listMessages, { params: { id: chat?.id ?? "" } });
  expect(messages.at(-1)).toMatchObject({
    role: "assistant",
    attachments: [{ kind: "image", name: "file_00000000aa11.webp", type: "image/webp" }],
  });
  const exported = await other.fetch(`/api/chat/${chat?.id}/export?format=json`);
  const again = await other.take(importChat, { body: ExportedChat.parse(await exported.json()) });
  expect(again.chat.title).toBe("A drawing");
});
