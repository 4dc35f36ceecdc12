import { beforeAll, expect, it } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import type { Import } from "#shared/imports/import.ts";
import { claudeConversation, claudeMessage, richTalk } from "#test/support/imports/claude-export.ts";
import { importFile } from "#test/support/imports/upload-import.ts";
import { zipOf } from "#test/support/imports/zip-of.ts";
import { type Person, signIn } from "#test/support/worker.ts";

let user: Person;
let made: Import;
beforeAll(async () => {
  user = await signIn();
  // Older exports name no parents.
  const plain = claudeConversation(
    [claudeMessage("p1", "human", { text: "Hello" }), claudeMessage("p2", "assistant", { text: "Good morning" })],
    { name: "Plain" },
  );
  made = await importFile(
    user,
    await zipOf({
      "conversations.json": JSON.stringify([richTalk(), plain]),
      "projects.json": "[]",
      "memories.json": "[]",
      "users.json": "[]",
    }),
  );
});

async function messagesOf(title: string) {
  const { chats } = await user.take(listChats, {});
  return (await user.take(listMessages, { params: { id: chats.find((chat) => chat.title === title)?.id ?? "" } })).messages;
}

it("an export of Claude comes with its branches and files, and the report says what of it did not", () => {
  expect(made).toMatchObject({ state: "done", source: "claude" });
  expect(made.counts).toMatchObject({
    chat: { came: 2, here: 0, failed: 0 },
    message: { came: 7 },
    branch: { came: 1 },
    file: { came: 1, failed: 1 },
    artifact: { came: 1, failed: 0 },
  });
  expect(made.notes).toEqual([{ kind: "file", title: "sketch.png (A clock)", reason: "It is not in the export." }]);
});

it("an export of Claude keeps thoughts, artifacts, searches and pasted texts, and shows the branch written last", async () => {
  const messages = await messagesOf("A clock");
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  const [question, answer, , last] = messages;
  expect(question?.attachments).toMatchObject([
    { name: "pasted.txt", kind: "text", unread: null },
    { name: "sketch.png", isMissing: true },
  ]);
  const file = await user.fetch(question?.attachments[0]?.url ?? "");
  expect(await file.text()).toBe("Numbers on the inside");
  expect(answer).toMatchObject({
    content: "Here it is:",
    tool_calls: [{ tool: "createArtifact", status: "done" }],
    reasoning: "A round one, then.",
    model_id: "anthropic/claude-sonnet-4.5",
    created_at: "2025-03-04T05:06:07.123Z",
  });
  expect(answer?.sibling_ids).toHaveLength(2);
  expect(last).toMatchObject({ citations: [{ url: "https://example.org/clocks", title: "Clocks" }] });
  expect(last?.content).toContain("Nobody knows.");
});

it("an export of Claude of the older form is a plain conversation", async () => {
  expect((await messagesOf("Plain")).map(({ content }) => content)).toEqual(["Hello", "Good morning"]);
});
