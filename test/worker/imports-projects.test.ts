import { expect, it } from "vitest";
import { listFolders } from "#shared/contracts/folders.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { getKnowledge, listKnowledge } from "#shared/contracts/library/knowledge.ts";
import { listPersonas } from "#shared/contracts/library/personas.ts";
import { listMemories } from "#shared/contracts/memories.ts";
import { chatgptConversation, plainSteps, richConversation } from "#test/support/imports/chatgpt-export.ts";
import { claudeConversation, claudeMessage } from "#test/support/imports/claude-export.ts";
import { importFile } from "#test/support/imports/upload-import.ts";
import { zipOf } from "#test/support/imports/zip-of.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";

const GARDEN = "0198c000-1111-4222-8333-444444444444";
const EXAMPLE = "0198c000-9999-4222-8333-444444444444";

function talk(name: string, fields: Record<string, unknown> = {}) {
  return claudeConversation(
    [claudeMessage("q", "human", { text: `About ${name}` }), claudeMessage("a", "assistant", { text: "Gladly." })],
    {
      name,
      ...fields,
    },
  );
}

const garden = {
  uuid: GARDEN,
  name: "Garden",
  description: "What grows where",
  is_starter_project: false,
  prompt_template: "Answer as a gardener.",
  created_at: "2025-03-01T00:00:00.000000Z",
  docs: [
    { uuid: "d1", filename: "plan.md", content: "Roses by the wall", created_at: "2025-03-01T00:00:00Z" },
    { uuid: "d2", filename: "soil.pdf", content: "Loam", created_at: "2025-03-01T00:00:00Z" },
  ],
};
const memories = [
  {
    conversations_memory: "**Work context**\n\nAda writes compilers. She prefers short answers.\n\n- Lives in Bern\n",
    project_memories: { [GARDEN]: "The wall faces south.", "0198c000-0000-4222-8333-444444444444": "Nobody knows of what." },
    account_uuid: "a",
  },
];

async function factsOf(user: Person): Promise<string[]> {
  return until("the imported facts", async () => {
    const { memories: facts } = await user.take(listMemories, {});
    return facts.length >= 2 ? facts.map(({ text }) => text).toSorted() : null;
  });
}

it("projects of Claude become folders with their chats, personas of their instructions and knowledge of their documents, each once", async () => {
  const user = await signIn();
  const example = { uuid: EXAMPLE, name: "How to use Claude", is_starter_project: true, docs: [{ filename: "a.md", content: "a" }] };
  const chats = [
    talk("Roses", { project_uuid: GARDEN }),
    talk("Tulips", { project: { uuid: GARDEN, name: "Garden" } }),
    talk("Cooking"),
    talk("Stars", { project_uuid: "ffeedd00-0000-4222-8333-444444444444" }),
  ];
  const file = await zipOf({
    "conversations.json": JSON.stringify(chats),
    "projects.json": JSON.stringify([garden, example]),
    "memories.json": JSON.stringify(memories),
  });
  const made = await importFile(user, file);
  expect(made).toMatchObject({ state: "done", source: "claude" });
  expect(made.counts).toMatchObject({
    chat: { came: 4 },
    file: { came: 2, failed: 0 },
    folder: { came: 1 },
    persona: { came: 1 },
    knowledge: { came: 1 },
    project: { came: 1, failed: 0 },
    memory: { came: 2, failed: 1 },
  });
  expect(made.notes).toEqual([
    {
      kind: "memory",
      title: "memories.json: 0198c000-0000-4222-8333-444444444444",
      reason: "It is of a project that is not in the export.",
    },
  ]);

  const { folders } = await user.take(listFolders, {});
  expect(Object.fromEntries(folders.map(({ name, chat_count: count }) => [name, count]))).toEqual({
    "Claude project ffeedd": 1,
    Garden: 2,
  });
  const { personas } = await user.take(listPersonas, {});
  expect(personas.find(({ name }) => name === "Garden")).toMatchObject({ content: "Answer as a gardener." });
  const [entry] = (await user.take(listKnowledge, {})).contexts;
  const { context } = await user.take(getKnowledge, { params: { id: entry?.id ?? "" } });
  expect(context).toMatchObject({ name: "Garden", text_content: "What grows where\n\nThe wall faces south." });
  expect(context.user_context_files.map(({ file_name: name }) => name).toSorted()).toEqual(["plan.md", "soil.pdf.txt"]);
  expect(await factsOf(user)).toEqual(["Ada writes compilers. She prefers short answers.", "Lives in Bern"]);

  const again = await importFile(user, file);
  expect(again.counts).toMatchObject({
    chat: { came: 0, here: 4 },
    folder: { came: 0, here: 1 },
    persona: { came: 0, here: 1 },
    knowledge: { came: 0, here: 1 },
    project: { came: 0, here: 1 },
    memory: { came: 0, here: 2 },
  });
  expect((await user.take(listFolders, {})).folders).toHaveLength(2);
});

it("projects of Claude may lie in files of their own, in a ZIP without chats", async () => {
  const user = await signIn();
  const made = await importFile(user, await zipOf({ [`projects/${GARDEN}.json`]: JSON.stringify(garden), "projects/broken.json": "{" }));
  expect(made).toMatchObject({ state: "done", source: "claude" });
  expect(made.counts).toMatchObject({ project: { came: 1, failed: 1 }, folder: { came: 1 }, knowledge: { came: 1 } });
  expect((await user.take(listChats, {})).chats).toEqual([]);
});

it("projects of Claude of a memory in an unknown form are said not to have come", async () => {
  const user = await signIn();
  const made = await importFile(user, await zipOf({ "conversations.json": "[]", "memories.json": '[{"other":1}]', "users.json": "[]" }));
  expect(made.notes).toEqual([{ kind: "memory", title: "memories.json", reason: expect.stringContaining("Settings, Memory") }]);
});

it("projects and instructions of ChatGPT are folders by their ids, and the newest instructions a persona", async () => {
  const user = await signIn();
  const project = { gizmo_id: "g-p-67a1b2c3d4e5", conversation_template_id: "g-p-67a1b2c3d4e5" };
  const gpt = { gizmo_id: "g-abc123", conversation_template_id: "g-abc123" };
  const made = await importFile(
    user,
    await zipOf({
      "conversations.json": JSON.stringify([
        chatgptConversation(plainSteps(["One", "1"]), { title: "One", ...project }),
        chatgptConversation(plainSteps(["Two", "2"]), { title: "Two", ...project }),
        chatgptConversation(plainSteps(["Three", "3"]), { title: "Three", ...gpt }),
        richConversation(),
      ]),
    }),
  );
  expect(made.counts).toMatchObject({ chat: { came: 4 }, persona: { came: 1 } });
  const { folders } = await user.take(listFolders, {});
  expect(folders).toMatchObject([{ name: "ChatGPT project 67a1b2", chat_count: 2 }]);
  const { personas } = await user.take(listPersonas, {});
  expect(personas.find(({ name }) => name === "ChatGPT custom instructions")).toMatchObject({
    content: "About the user:\n\nLives in Bern",
  });
});
