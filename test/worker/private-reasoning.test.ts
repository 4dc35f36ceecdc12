import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createArtifact } from "#shared/contracts/artifacts.ts";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { continueReply, regenerateReply, selectVersion, sendMessage } from "#shared/contracts/chat/messages.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { decideSender } from "#shared/contracts/chat/mails.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { connectedToolId } from "#worker/integrations/mcp/served-tool.ts";
import { addressOfChat, deliver, newestMail } from "#test/support/incoming.ts";
import { make } from "#test/support/knowledge.ts";
import { addFact } from "#test/support/memories.ts";
import { CHEAP_MODEL, type Received, readReply, startChatAndRead, textOf } from "#test/support/replies.ts";
import { messagesOf } from "#test/support/runs.ts";
import { share } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";

const THOUGHT = "The house goes to Marta.";
const THINK = `think ${THOUGHT}\nsay Read.`;

type Place = { id: string; owner: Person; editor: Person; last: string };

async function openChat(first = "say Hello."): Promise<Place> {
  const [owner, editor] = [await signIn(), await signIn()];
  const { chatId: id, replyId: last } = await startChatAndRead(owner, first);
  await share(owner, id, editor.email, "editor");
  return { id, owner, editor, last };
}

async function sent(person: Person, { id, last }: Place, content: string) {
  const body = { id: crypto.randomUUID(), parent_id: last, content, model_id: CHEAP_MODEL };
  return { chatId: id, replyId: (await person.take(sendMessage, { params: { id }, body })).replyId };
}

const thoughtIn = (received: Received[]) => received.map(({ event }) => (event.type === "reasoning" ? event.text : "")).join("");

async function exported(person: Person, id: string, replyId: string) {
  const file: unknown = await (await person.fetch(`/api/chat/${id}/export?format=json`)).json();
  return ExportedChat.parse(file).messages.find((message) => message.id === replyId)?.reasoning ?? "";
}

/** What somebody sees of what a reply's model thought, at each door. */
async function seenOf(person: Person, { chatId: id, replyId }: { chatId: string; replyId: string }) {
  const { chat } = await person.take(forkChat, { params: { id }, body: { messageId: replyId } });
  return {
    list: (await messagesOf(person, id)).find((message) => message.id === replyId)?.reasoning ?? "",
    again: thoughtIn(await readReply(person, { chatId: id, replyId })),
    file: await exported(person, id, replyId),
    fork: (await messagesOf(person, chat.id)).at(-1)?.reasoning ?? "",
  };
}

const ALL = { list: THOUGHT, again: THOUGHT, file: THOUGHT, fork: THOUGHT };
const NOTHING = { list: "", again: "", file: "", fork: "" };

/** Asks as the owner while the editor reads along; answers what each saw live, and at all doors afterwards. */
async function asked(place: Place, content: string) {
  const { owner, editor } = place;
  const turn = await sent(owner, place, `speed 60\n${content}`);
  const [own, live] = await Promise.all([readReply(owner, turn), readReply(editor, turn)]);
  return {
    owner: { live: thoughtIn(own), ...(await seenOf(owner, turn)) },
    editor: { live: thoughtIn(live), ...(await seenOf(editor, turn)) },
  };
}

const OWN: Record<string, (place: Place) => Promise<string>> = {
  async "their memory"({ owner }) {
    await addFact(owner, "The house is Marta's");
    return THINK;
  },
  async "an artifact"({ owner }) {
    const note = { id: crypto.randomUUID(), title: "Last will", content: THOUGHT };
    await owner.take(createArtifact, { body: note });
    return `call readArtifact {"artifact_id":"${note.id}"}\nthen\n${THINK}`;
  },
  async "a server that they connected"({ id, owner }) {
    const body = { name: "Weather", server_url: `${env.MCP_SIMULATOR}/weather/mcp`, trusted: true };
    const { connection } = await owner.take(createMcpConnection, { body });
    await owner.take(updateChat, { params: { id }, body: { tool_categories: [connectionCategory(connection.id)] } });
    return `call ${connectedToolId(connection.id, "get_weather")} {"place":"Porto"}\nthen\n${THINK}`;
  },
  async "their schedules"({ id, owner }) {
    await owner.take(updateChat, { params: { id }, body: { tool_categories: ["schedules"] } });
    return `call listSchedules {}\nthen\n${THINK}`;
  },
  async "their knowledge"({ id, owner }) {
    const entry = await make(owner, { text_content: THOUGHT });
    await until("it is read", async () => (await env.PASSAGES.getByName(entry.id).describe()).documents.length > 0);
    await owner.take(updateChat, { params: { id }, body: { context_ids: [entry.id] } });
    return THINK;
  },
  async "what an earlier answer read"(place) {
    const turn = await sent(place.owner, place, "call listArtifacts {}\nthen\nsay None.");
    await readReply(place.owner, turn);
    place.last = turn.replyId;
    return THINK;
  },
  async "the chat's mails"(place) {
    const { id, owner } = place;
    await deliver({ from: owner.email, to: await addressOfChat(owner, id), text: "say Hello." });
    const answer = await until("the answer", async () => {
      const last = (await messagesOf(owner, id)).at(-1);
      return last?.id !== place.last && last?.role === "assistant" && last.status === "done" ? last : null;
    });
    place.last = answer.id;
    return THINK;
  },
};

it.each(Object.entries(OWN))("what a model thought with %s is its person's alone", { timeout: 120_000 }, async (_what, prepare) => {
  const place = await openChat();
  const content = await prepare(place);
  expect(await asked(place, content)).toEqual({ owner: { live: THOUGHT, ...ALL }, editor: { live: "", ...NOTHING } });
});

it("what a model thought with nothing of anybody's own is shown to every reader", async () => {
  expect(await asked(await openChat(), THINK)).toEqual({ owner: { live: THOUGHT, ...ALL }, editor: { live: THOUGHT, ...ALL } });
});

it("what a model thought about a mail that was let in is its payer's, who alone sees who wrote", async () => {
  const { id, owner, editor } = await openChat();
  await deliver({ from: "Eve <eve@elsewhere.example>", to: await addressOfChat(owner, id), text: THINK });
  const mail = await newestMail(owner, id, ({ state }) => state === "quarantined");
  const params = { id, mailId: mail.id };
  await owner.take(decideSender, { params, body: { decision: "allow_once" } });
  const answer = await until("the answer", async () => {
    const last = (await messagesOf(owner, id)).at(-1);
    return last?.trigger === "mail" && last.status === "done" ? last : null;
  });
  expect(answer.reasoning).toBe(THOUGHT);
  expect((await messagesOf(editor, id)).find((message) => message.id === answer.id)?.reasoning).toBeNull();
});

it("an answer that an editor has written again with what is the editor's is theirs, not theirs who had asked", async () => {
  const place = await openChat(THINK);
  const { id, owner, editor, last } = place;
  await addFact(editor, "The house is Marta's");
  const params = { id, messageId: last };
  const { replyId } = await editor.take(regenerateReply, { params, body: { id: crypto.randomUUID() } });
  const turn = { chatId: id, replyId };
  await readReply(editor, turn);
  await owner.take(selectVersion, { params: { id, messageId: replyId } });
  expect([await seenOf(editor, turn), await seenOf(owner, turn)]).toEqual([ALL, NOTHING]);
  const byOwner = await sent(owner, { ...place, last: replyId }, "show request");
  const request = textOf(await readReply(owner, byOwner));
  expect(request).toContain("Read.");
  expect(request).not.toContain("reasoning_details");
  const byEditor = await sent(editor, { ...place, last: byOwner.replyId }, "show request");
  expect(textOf(await readReply(editor, byEditor))).toContain("reasoning_details");
});

it("whoever goes on with an answer does not see what was thought before", async () => {
  const { id, owner, editor } = await openChat();
  await addFact(owner, "The house is Marta's");
  const last = (await messagesOf(owner, id)).at(-1)?.id ?? "";
  const turn = await sent(owner, { id, owner, editor, last }, `think ${THOUGHT}\nfault cut times 1\nsay Read on.`);
  await readReply(owner, turn);
  await editor.take(continueReply, { params: { id, messageId: turn.replyId } });
  await readReply(editor, turn);
  expect((await messagesOf(editor, id)).at(-1)?.reasoning ?? "").not.toContain(THOUGHT);
});
