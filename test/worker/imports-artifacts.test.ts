import { expect, it } from "vitest";
import { getArtifactVersion, listArtifacts, listArtifactVersions } from "#shared/contracts/artifacts.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { ACCOUNT_FORMAT, ACCOUNT_VERSION } from "#shared/entities/library/account-export.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { claudeConversation, claudeMessage, richTalk } from "#test/support/imports/claude-export.ts";
import { importFile } from "#test/support/imports/upload-import.ts";
import { zipOf } from "#test/support/imports/zip-of.ts";
import { gif, photo } from "#test/support/pictures.ts";
import { readReply, textOf } from "#test/support/replies.ts";
import { sendMessageIn } from "#test/support/memories.ts";
import { type Person, signIn } from "#test/support/worker.ts";

type Input = Record<string, unknown>;

const write = (input: Input) => ({ type: "tool_use", name: "artifacts", input });

function exported() {
  return claudeConversation(
    [
      claudeMessage("q1", "human", { text: "Write a page and a plan.", parent: null }),
      claudeMessage("a1", "assistant", {
        text: "",
        parent: "q1",
        content: [
          { type: "text", text: "A page:" },
          write({ id: "page", type: "text/html", title: "Page", command: "create", content: "<p>one</p>\n<p>two</p>" }),
          { type: "text", text: "And a plan:" },
          write({ id: "plan", type: "text/markdown", title: "Plan", command: "create", content: "# Plan\n\nSow." }),
        ],
      }),
      claudeMessage("q2", "human", { text: "Change them.", parent: "a1" }),
      claudeMessage("a2", "assistant", {
        text: "",
        parent: "q2",
        content: [
          write({ id: "page", command: "update", old_str: "two", new_str: "2" }),
          write({ id: "plan", command: "rewrite", content: "# Plan\n\nReap." }),
          write({ id: "page", command: "update", old_str: "nowhere", new_str: "x" }),
          { type: "text", text: "Changed." },
        ],
      }),
      claudeMessage("a2-other", "assistant", {
        text: "",
        parent: "q2",
        content: [write({ id: "page", command: "update", old_str: "one", new_str: "1" })],
      }),
    ],
    { name: "Documents", current_leaf_message_uuid: "a2" },
  );
}

async function documentsOf(user: Person) {
  const { artifacts } = await user.take(listArtifacts, {});
  return artifacts.toSorted((one, other) => (one.title < other.title ? -1 : 1));
}

async function textsOf(user: Person, id: string): Promise<string[]> {
  const { versions } = await user.take(listArtifactVersions, { params: { id } });
  const numbers = versions.map(({ version }) => version).toSorted((one, other) => one - other);
  return Promise.all(
    numbers.map(async (version) => (await user.take(getArtifactVersion, { params: { id, version: String(version) } })).version.content),
  );
}

it("artifacts of Claude become artifacts with what they said before on each branch, and calls in their chat lead to them", async () => {
  const user = await signIn();
  const file = await zipOf({ "conversations.json": JSON.stringify([exported()]) });
  const made = await importFile(user, file);
  expect(made).toMatchObject({ state: "done", notes: [] });
  expect(made.counts).toMatchObject({ chat: { came: 1 }, artifact: { came: 2, failed: 0 }, branch: { came: 1 } });
  const [page, plan] = await documentsOf(user);
  expect([page?.title, plan?.title]).toEqual(["Page", "Plan"]);
  const fenced = (one: string, two: string) => `\`\`\`html\n<p>${one}</p>\n<p>${two}</p>\n\`\`\`\n`;
  expect(await textsOf(user, page?.id ?? "")).toEqual([fenced("one", "two"), fenced("one", "2"), fenced("1", "two")]);
  expect(await textsOf(user, plan?.id ?? "")).toEqual(["# Plan\n\nSow.", "# Plan\n\nReap."]);

  const [chat] = (await user.take(listChats, {})).chats;
  const { messages } = await user.take(listMessages, { params: { id: chat?.id ?? "" } });
  const [, first, , second] = messages;
  expect(first?.content).toBe("A page:\n\nAnd a plan:");
  expect(first?.tool_calls.map(({ tool, at, output }) => [tool, at, JSON.parse(output ?? "")])).toEqual([
    ["createArtifact", 7, { artifact_id: page?.id, title: "Page", version: 1 }],
    ["createArtifact", 20, { artifact_id: plan?.id, title: "Plan", version: 1 }],
  ]);
  expect(second?.tool_calls.map(({ tool, output }) => [tool, JSON.parse(output ?? "")])).toEqual([
    ["editArtifact", { artifact_id: page?.id, title: "Page", version: 2, previous_version: 1 }],
    ["editArtifact", { artifact_id: plan?.id, title: "Plan", version: 2, previous_version: 1 }],
  ]);
  // What does not fit is listed as it stands in the export.
  expect(second?.content).toContain("nowhere");
  expect(second?.content).toContain("Changed.");

  const again = await importFile(user, file);
  expect(again.counts.artifact).toBeUndefined();
  expect(await documentsOf(user)).toHaveLength(2);
  // The chat goes on.
  const turn = await sendMessageIn(user, { chatId: chat?.id ?? "", replyId: second?.id ?? null }, "say Thanks.");
  expect(textOf(await readReply(user, turn))).toContain("Thanks.");
});

it("artifacts of Claude stay text where artifacts are off", async () => {
  const user = await signIn();
  await user.take(updateUser, { body: { artifacts_enabled: false } });
  await importFile(user, await zipOf({ "conversations.json": JSON.stringify([richTalk()]) }));
  const [chat] = (await user.take(listChats, {})).chats;
  const { messages } = await user.take(listMessages, { params: { id: chat?.id ?? "" } });
  expect(messages[1]?.content).toBe("Here it is:\n\n**Clock**\n\n```html\n<p>12</p>\n```");
});

it("pictures of an artifact in an export of one's own lose where they were taken, and stay behind with more than 50 megapixels", async () => {
  const user = await signIn();
  const at = "2026-11-01T08:00:00.000Z";
  const pictures = ["sea.jpg", "huge.gif"].map((name) => ({
    id: crypto.randomUUID(),
    name,
    path: `artifacts/Log/${name}`,
    created_at: at,
  }));
  const address = (artifactId: string, fileId: string) => `/api/artifacts/${artifactId}/files/${fileId}`;
  const id = crypto.randomUUID();
  const times = { created_at: at, updated_at: at };
  const artifact = { id, title: "Log", version: 1, is_pinned: false, path: "artifacts/Log.md", versions: [], pictures, ...times };
  const file = await zipOf({
    "account.json": JSON.stringify({ format: ACCOUNT_FORMAT, version: ACCOUNT_VERSION, account_id: crypto.randomUUID() }),
    "artifacts/Log/artifact.json": JSON.stringify(artifact),
    "artifacts/Log.md": `![Sea](${address(id, pictures[0]?.id ?? "")})`,
    "artifacts/Log/sea.jpg": photo("jpeg"),
    "artifacts/Log/huge.gif": gif(8_000, 8_000),
  });
  const made = await importFile(user, file, { name: "polylogue.zip" });
  expect(made.counts).toMatchObject({ artifact: { came: 1 }, file: { came: 1, failed: 1 } });
  expect(made.notes).toEqual([{ kind: "file", title: "huge.gif (Log)", reason: "A picture may have up to 50 megapixels." }]);
  const [log] = await documentsOf(user);
  const { version } = await user.take(getArtifactVersion, { params: { id: log?.id ?? "", version: "1" } });
  const storedText = await (await user.fetch(/\((.*)\)/.exec(version.content)?.[1] ?? "")).text();
  expect([storedText.includes("Orientation"), storedText.includes("DEG")]).toEqual([true, false]);
});
