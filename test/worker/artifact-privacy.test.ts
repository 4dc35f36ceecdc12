import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { createArtifact } from "#shared/contracts/artifacts.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { copyPublicChat, getPublicChat } from "#shared/contracts/chat/sharing.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { connectCodegen } from "#shared/contracts/outbound/codegen.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { messagesOf } from "#test/support/runs.ts";
import { createOwnSchedule } from "#test/support/schedules.ts";
import { share } from "#test/support/shared-chat.ts";
import { type Person, signIn, visit, visitor } from "#test/support/worker.ts";
import { connectedToolId } from "#worker/integrations/mcp/served-tool.ts";

it("what tools say of artifacts is their person's alone: not members', on published pages, in copies or in files", async () => {
  const person = await signIn();
  const note = { id: crypto.randomUUID(), title: "Last will", content: "The house goes to Marta." };
  await person.take(createArtifact, { body: note });
  const calls = [
    `call readArtifact {"artifact_id":"${note.id}"}`,
    'call searchArtifacts {"query":"Marta"}',
    "call listArtifacts {}",
    // As JSON may write it, so the question does not say it.
    String.raw`call createArtifact {"title":"Codicil","content":"The \u0062oat goes to Otto."}`,
  ];
  const turn = await startChatAndRead(person, `${calls.join("\n")}\nthen\nsay Read.`);
  const { own, ownFork, editors } = await whereItIsSeen(person, turn, /Last will|house goes|boat goes/);
  expect([own, ownFork].map((said) => said.includes("The house goes to Marta."))).toEqual([true, true]);
  expect(editors).toEqual(["readArtifact", "searchArtifacts", "listArtifacts", "createArtifact"].map((tool) => [tool, {}, null]));
});

it("so is what tools say of their connections, their code agent and their schedules", async () => {
  const person = await signIn();
  const server_url = `${env.MCP_SIMULATOR}/weather/mcp`;
  const { connection } = await person.take(createMcpConnection, { body: { name: "Weather", server_url, trusted: true } });
  await person.take(connectCodegen, { body: { orgId: "123", token: "cg-token" } });
  await createOwnSchedule(person, { text: "Water the plants" });
  const { chatId, replyId } = await startChatAndRead(person, "say Hello.");
  const tool_categories = [connectionCategory(connection.id), "codegen", "schedules"];
  await person.take(updateChat, { params: { id: chatId }, body: { tool_categories } });
  const tools = [connectedToolId(connection.id, "get_weather"), "codegenGetUsers", "listSchedules"];
  const calls = [`call ${tools[0]} {"place":"Porto"}`, `call ${tools[1]} {"limit":1}`, `call ${tools[2]} {}`];
  const content = `${calls.join("\n")}\nthen\nsay Read.`;
  const body = { id: crypto.randomUUID(), parent_id: replyId, content, model_id: CHEAP_MODEL };
  const turn = { chatId, replyId: (await person.take(sendMessage, { params: { id: chatId }, body })).replyId };
  await readReply(person, turn);
  const { own, ownFork, editors } = await whereItIsSeen(person, turn, /sunny in|Lena Brandt|Water the plants/);
  for (const one of ["sunny in Porto", "Lena Brandt", "Water the plants"])
    expect([one, own.includes(one), ownFork.includes(one)]).toEqual([one, true, true]);
  expect(editors).toEqual(tools.map((tool) => [tool, {}, null]));
});

/** Looks at every door of a chat for what none but its person may see; answers what they see, and what an editor sees of the calls. */
async function whereItIsSeen(person: Person, turn: { chatId: string; replyId: string }, secret: RegExp) {
  const { chatId: id, replyId: messageId } = turn;
  const [viewer, editor, stranger] = [await signIn(), await signIn(), await signIn()];
  await share(person, id, viewer.email, "viewer");
  await share(person, id, editor.email, "editor");
  await person.take(updateChat, { params: { id }, body: { public: true } });
  const fork = async (who: Person) => (await who.take(forkChat, { params: { id }, body: { messageId } })).chat.id;
  const copy = (await stranger.take(copyPublicChat, { params: { id }, body: {} })).chat.id;
  const fileOf = async (who: Person, format: string) => (await who.fetch(`/api/chat/${id}/export?format=${format}`)).text();
  const seen = {
    viewer: await messagesOf(viewer, id),
    editor: await messagesOf(editor, id),
    stream: await readReply(editor, turn),
    fork: await messagesOf(editor, await fork(editor)),
    json: await fileOf(viewer, "json"),
    markdown: await fileOf(editor, "markdown"),
    page: await (await visit(`/p/${id}`)).text(),
    published: await visitor().take(getPublicChat, { params: { id }, query: {} }),
    copy: await messagesOf(stranger, copy),
  };
  for (const [where, what] of Object.entries(seen)) {
    expect([where, JSON.stringify(what).includes("Read.")]).toEqual([where, true]);
    expect([where, JSON.stringify(what).match(secret)]).toEqual([where, null]);
  }
  const calls = (await messagesOf(editor, id)).at(-1)?.tool_calls ?? [];
  return {
    own: JSON.stringify((await messagesOf(person, id)).at(-1)?.tool_calls),
    ownFork: JSON.stringify((await messagesOf(person, await fork(person))).at(-1)?.tool_calls),
    editors: calls.map(({ tool, input, output }) => [tool, input, output]),
  };
}
