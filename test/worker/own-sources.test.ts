import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "#shared/contracts/account/api-keys.ts";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { createArtifact } from "#shared/contracts/artifacts.ts";
import { decideSender, remindOfMail, type SenderDecision } from "#shared/contracts/chat/mails.ts";
import { editMessage, regenerateReply, sendMessage } from "#shared/contracts/chat/messages.ts";
import { addToQueue } from "#shared/contracts/chat/queue.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { updatePersona } from "#shared/contracts/library/personas.ts";
import { putCallSettings } from "#shared/contracts/outbound/phone.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import type { ApiScope } from "#shared/entities/library/api-key.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { findThread, withGmail } from "#test/support/gmail.ts";
import { addressOfChat, deliver, newestMail } from "#test/support/incoming.ts";
import { make } from "#test/support/knowledge.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { addFact } from "#test/support/memories.ts";
import { newPhone } from "#test/support/messaging.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { messagesOf, wake } from "#test/support/runs.ts";
import { nextRunAt, runScheduleAt, createOwnSchedule } from "#test/support/schedules.ts";
import { share } from "#test/support/shared-chat.ts";
import { connect, callServerTool } from "#test/support/tool-client.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person, refusal, signIn } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { linkNumber } from "#worker/people/messaging-number/messaging-number.ts";
import { updateCurrent } from "#worker/integrations/messaging/queries.ts";

const STRANGER = "Eve <eve@elsewhere.example>";
const SHOW = "show request";
const NUMBER = "+14155550123";

/** What stands in a request to the aggregator, by whose it is; of tools those that the chat's earlier answers have not called. */
const MARKS = {
  memory: ["Keeps bees in Ulm", "Call me Lena"],
  knowledge: ["The vault opens with 4711"],
  artifacts: ['"searchArtifacts"', '"createArtifact"'],
  accounts: ['"gmailSearch"', '"gmailSend"', '"listSchedules"', '"createSchedule"', "get_weather"],
  mail: ['"listEmails"', '"remindIfUnanswered"', "carla@customer.example"],
  /** What a tool said earlier in this chat, by the owner's own call. */
  earlier: ["9:41 train", "Bakery opens at six"],
} as const;
type Mark = keyof typeof MARKS;
const ALL: Mark[] = ["memory", "knowledge", "artifacts", "accounts", "mail", "earlier"];

/** Which of these a request holds; one of which it holds only a part stands with what. */
function marksOf(request: string): string[] {
  return Object.entries(MARKS).flatMap(([mark, signs]) => {
    const found = signs.filter((sign) => request.includes(sign));
    return found.length === 0 ? [] : [found.length === signs.length ? mark : `${mark}: ${found.join(", ")}`];
  });
}

type House = { owner: Person; editor: Person; viewer: Person; connectionId: string; entryId: string; artifactId: string; thread: string };

/** What a chat's people ask of it: a chat of its own for each door, as answers show all that their models read. */
type Place = { id: string; to: string };

/** Somebody who has everything, and those with whom they share. */
async function openHouse(): Promise<House> {
  const owner = await withGmail();
  const [editor, viewer] = [await signIn(), await signIn()];
  await addFact(owner, "Keeps bees in Ulm");
  await owner.take(updatePersona, { params: { id: owner.user.id }, body: { content: "Call me Lena." } });
  const entry = await make(owner, { text_content: "The vault opens with 4711." });
  await until("it is read", async () => (await env.PASSAGES.getByName(entry.id).describe()).documents.length > 0);
  const note = { id: crypto.randomUUID(), title: "Breakfast", content: "Bakery opens at six." };
  await owner.take(createArtifact, { body: note });
  const body = { name: "Weather", server_url: `${env.MCP_SIMULATOR}/weather/mcp` };
  const { connection } = await owner.take(createMcpConnection, { body });
  await owner.take(putCallSettings, { body: { from_hour: 0, until_hour: 24, calls_per_day: 20 } });
  const thread = await findThread(owner, "subject:berlin");
  return { owner, editor, viewer, connectionId: connection.id, entryId: entry.id, artifactId: note.id, thread };
}

// Whoever has written all of this within a minute would be asked to wait.
let house: House;
beforeEach(async () => {
  house = await openHouse();
}, 120_000);

/** A shared chat in which everything is on, their own things were read, and a customer has written. */
async function openChat(): Promise<Place> {
  const { owner, editor, viewer, connectionId, entryId, artifactId, thread } = house;
  const read = `call gmailRead {"thread_id":"${thread}"}\ncall readArtifact {"artifact_id":"${artifactId}"}\nthen\nsay Read.`;
  const { chatId: id } = await startChatAndRead(owner, read);
  const tool_categories = ["email", "schedules", "phone", connectionCategory(connectionId)];
  await owner.take(updateChat, { params: { id }, body: { tool_categories, context_ids: [entryId], model_id: CHEAP_MODEL } });
  await share(owner, id, editor.email, "editor");
  await share(owner, id, viewer.email, "viewer");
  const place = { id, to: await addressOfChat(owner, id) };
  await deliver({ from: "Carla <carla@customer.example>", to: place.to, text: "say Hello Carla." });
  await letIn(place, "allow_once");
  return place;
}

/** The last answer, once the chat has so many messages on the owner's path. */
async function lastOf({ id }: Place, count: number) {
  return until("the answer", async () => {
    const messages = await messagesOf(house.owner, id);
    const last = messages.at(-1);
    return messages.length >= count && last?.role === "assistant" && last.status === "done" ? last : null;
  });
}

const countOf = async ({ id }: Place) => (await messagesOf(house.owner, id)).length;

/** Lets the newest mail in and answers what came of it. */
async function letIn(place: Place, decision: SenderDecision) {
  const { owner } = house;
  const before = await countOf(place);
  const { id } = place;
  const mail = await newestMail(owner, id, ({ state }) => state === "quarantined");
  await owner.take(decideSender, { params: { id, mailId: mail.id }, body: { decision } });
  return lastOf(place, before + 2);
}

async function written(place: Place, from: string, text = SHOW) {
  const before = await countOf(place);
  await deliver({ from, to: place.to, text });
  return lastOf(place, before + 2);
}

async function strangers(place: Place, decision: SenderDecision, from = STRANGER) {
  await deliver({ from, to: place.to, text: SHOW });
  return letIn(place, decision);
}

async function sent(person: Person, place: Place, content = SHOW) {
  const parent_id = (await messagesOf(person, place.id)).at(-1)?.id ?? null;
  const body = { id: crypto.randomUUID(), parent_id, content };
  const { replyId } = await person.take(sendMessage, { params: { id: place.id }, body });
  return readAnswer(person, place, replyId);
}

async function answeredAgain(person: Person, place: Place, messageId: string) {
  const { replyId } = await person.take(regenerateReply, { params: { id: place.id, messageId }, body: { id: crypto.randomUUID() } });
  return readAnswer(person, place, replyId);
}

/** An answer, whole. */
async function readAnswer(person: Person, { id }: Place, replyId: string) {
  await readReply(person, { chatId: id, replyId });
  return (await messagesOf(person, id)).find((message) => message.id === replyId);
}

const marksIn = (message: { content: string } | undefined) => marksOf(message?.content ?? "");

const OWN: Record<string, (place: Place) => Promise<{ content: string } | undefined>> = {
  typed: (place) => sent(house.owner, place),
  async edited(place) {
    const { owner } = house;
    const asked = await sent(owner, place, "say First.");
    const body = { id: crypto.randomUUID(), content: SHOW };
    const { replyId } = await owner.take(editMessage, { params: { id: place.id, messageId: asked?.parent_id ?? "" }, body });
    return readAnswer(owner, place, replyId);
  },
  async "answered again"(place) {
    return answeredAgain(house.owner, place, (await sent(house.owner, place))?.id ?? "");
  },
  async "out of the queue"(place) {
    const before = await countOf(place);
    await house.owner.take(addToQueue, { params: { id: place.id }, body: { id: crypto.randomUUID(), content: SHOW } });
    return lastOf(place, before + 2);
  },
  "mailed from an address of theirs": (place) => written(place, house.owner.email),
  "let in with their data": (place) => strangers(place, "allow_with_data"),
  async "sent by their messaging app"(place) {
    const before = await countOf(place);
    const phone = newPhone();
    await linkNumber(openDatabase(env.DB), { userId: house.owner.user.id, phone: phone.number });
    await updateCurrent(openDatabase(env.DB), house.owner.user.id, place.id);
    await phone.send({ type: "text", body: SHOW });
    return lastOf(place, before + 2);
  },
  async "sent at its time"(place) {
    const before = await countOf(place);
    const schedule = await createOwnSchedule(house.owner, { text: SHOW, chat: "same", chat_id: place.id });
    await runScheduleAt(house.owner, schedule, { now: nextRunAt(schedule), runs: 1 });
    return lastOf(place, before + 2);
  },
  async "a reminder of theirs"(place) {
    const { owner } = house;
    const before = await countOf(place);
    const out = { direction: "out", state: "sent", sender_id: owner.user.id, delivery_key: null } as const;
    const mail = await addMailToRoom(place.id, { ...out, to_addr: [newAddress()] });
    const by = new Date(Date.now() + 3_600_000).toISOString();
    await owner.take(remindOfMail, { params: { id: place.id, mailId: mail.id }, body: { by, note: `soon\n${SHOW}` } });
    await wake(place.id);
    return lastOf(place, before + 2);
  },
};

const OTHERS: Record<string, (place: Place) => Promise<{ content: string } | undefined>> = {
  "a mail that was let in once": (place) => strangers(place, "allow_once"),
  "a mail that was let in for good": (place) => strangers(place, "allow_always"),
  async "a later mail of whom is always allowed"(place) {
    await deliver({ from: STRANGER, to: place.to, text: "say Hello." });
    await letIn(place, "allow_always");
    return written(place, STRANGER);
  },
  "a mail of a viewer": (place) => strangers(place, "allow_once", house.viewer.email),
  async "such a mail, answered again by its payer"(place) {
    return answeredAgain(house.owner, place, (await strangers(place, "allow_once")).id);
  },
  async "such a mail, answered again by an editor"(place) {
    return answeredAgain(house.editor, place, (await strangers(place, "allow_once")).id);
  },
  async "such a mail, after an approved call"(place) {
    const { owner } = house;
    const task = { phone_number: NUMBER, task: "Ask whether they open.", max_duration: 5 };
    const before = await countOf(place);
    await deliver({ from: STRANGER, to: place.to, text: `call blandCall ${JSON.stringify(task)}\nthen\n${SHOW}` });
    const { id } = place;
    const mail = await newestMail(owner, id, ({ state }) => state === "quarantined");
    await owner.take(decideSender, { params: { id, mailId: mail.id }, body: { decision: "allow_once" } });
    const call = await until("the card", async () =>
      (await messagesOf(owner, id)).at(-1)?.tool_calls.find(({ status }) => status === "waiting"),
    );
    await owner.take(decideToolCall, { params: { id, callId: call.id }, body: { decision: "approve" } });
    const answer = await lastOf(place, before + 2);
    await wake(id);
    // What the call's end began has no more than the mail had.
    const after = await lastOf(place, before + 4);
    expect([after.trigger, after.memory_ids ?? [], after.knowledge]).toEqual(["run", [], undefined]);
    return answer;
  },
  async "such a mail, whatever settings force on"(place) {
    const on = { enabled: true, is_always_on_override: true, always_allowed: true };
    const forced = ["saveMemory", "listArtifacts", "listSchedules", "searchIndexedFiles", "gmailDraft", "listEmails", "searchKnowledge"];
    const person = house.owner;
    await person.take(putToolSettings, { body: { settings: Object.fromEntries(forced.map((id) => [id, on])) } });
    const answer = await strangers(place, "allow_once");
    expect(forced.filter((id) => answer.content.includes(`"${id}"`))).toEqual([]);
    return answer;
  },
};

it.each(Object.entries(OWN))("a turn that its payer began uses all that is theirs: %s", { timeout: 120_000 }, async (_door, open) => {
  expect(marksIn(await open(await openChat()))).toEqual(ALL);
});

it.each(Object.entries(OTHERS))(
  "a turn that somebody else began uses nothing that is its payer's: %s",
  { timeout: 120_000 },
  async (_door, open) => {
    expect(marksIn(await open(await openChat()))).toEqual([]);
  },
);

it("a turn that somebody else began uses nothing that is its payer's and is let in by nobody but its payer", async () => {
  const { owner, editor } = house;
  const { id, to } = await openChat();
  await deliver({ from: newAddress(), to, text: SHOW });
  const mail = await newestMail(owner, id, ({ state }) => state === "quarantined");
  for (const decision of ["allow_once", "allow_always", "allow_with_data"] as const)
    expect(refusal(await editor.call(decideSender, { params: { id, mailId: mail.id }, body: { decision } }))).toBe("FORBIDDEN");
});

it("a turn that somebody else began uses nothing that is its payer's nor does an editor's in the same chat, which uses what is the editor's", async () => {
  const { editor } = house;
  await addFact(editor, "Sings in a choir");
  const answer = await sent(editor, await openChat());
  expect(answer?.content).toContain("Sings in a choir");
  // Tools are there for everybody, each with their own, and editors see addresses.
  expect(marksIn(answer).filter((mark) => !/^(artifacts|accounts|mail)/.test(mark))).toEqual([]);
  for (const tool of ['"gmailSearch"', "get_weather"]) expect(answer?.content).not.toContain(tool);
});

describe("a key", () => {
  const SCOPES: [ApiScope[], string[]][] = [
    [["ask"], []],
    [["ask", "prompts", "models"], []],
    [["ask", "memory"], ["memory"]],
    [["ask", "artifacts"], ["artifacts"]],
    [["ask", "chats"], ["knowledge"]],
    [
      ["ask", "chats", "artifacts", "memory"],
      ["memory", "knowledge", "artifacts", "earlier: Bakery opens at six"],
    ],
  ];

  it.each(SCOPES)(
    "a key with %s lends its turns what its scopes name, and of accounts and mails nothing",
    { timeout: 120_000 },
    async (scopes, own) => {
      const { id } = await openChat();
      const { secret } = await house.owner.take(createApiKey, { body: { id: crypto.randomUUID(), name: "Editor", scopes, budget: null } });
      const place = scopes.includes("chats") ? { chat_id: id } : {};
      const answer = await callServerTool(await connect(secret ?? ""), "ask", { message: SHOW, model: CHEAP_MODEL, ...place });
      expect([answer.isError, marksOf(answer.text)]).toEqual([false, own]);
    },
  );
});
