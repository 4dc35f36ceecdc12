import { env } from "cloudflare:workers";
import { Client as ToolClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { createApiKey } from "#shared/contracts/account/api-keys.ts";
import { forkChat, importChat } from "#shared/contracts/chat/copies.ts";
import { decideSender, getMail } from "#shared/contracts/chat/mails.ts";
import { editMessage, listMessages, regenerateReply, sendMessage } from "#shared/contracts/chat/messages.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { createPersona, updatePersona } from "#shared/contracts/library/personas.ts";
import { updateMemory } from "#shared/contracts/memories.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { API_SCOPES } from "#shared/entities/library/api-key.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { withGmail } from "./gmail.ts";
import { addressOfChat, deliver, newestMail } from "./incoming.ts";
import { addEntry } from "./indexed-entry.ts";
import { addFact, factsOf } from "./memories.ts";
import { CHEAP_MODEL } from "./replies.ts";
import { makeTeam, share } from "./shared-chat.ts";
import { switchOnTestTools } from "./test-tools.ts";
import { until } from "./until.ts";
import { ORIGIN, type Person, signIn, visit } from "./worker.ts";
import { connectedToolId } from "#worker/integrations/mcp/served-tool.ts";

/** It reads 16,384 tokens: what is longer goes along as a summary. */
const SMALL_MODEL = "microsoft/phi-4";
const FILLER = "x".repeat(30_000);

/** Facts of which none says the same as another. */
const FACTS = [
  "Plays the oboe",
  "Works on bridges",
  "Reads in the train",
  "Grows tomatoes",
  "Speaks Danish",
  "Sails in June",
  "Owns two bicycles",
  "Cooks with saffron",
];

/** What a turn does besides answering, and what its model reads by it. */
export const READINGS = [
  "nothing",
  "tool that answers",
  "tool that fails",
  "page of the web",
  "search that fails",
  "Gmail",
  "own knowledge",
  "files of knowledge",
  "own persona",
  "another's persona",
  "long text",
  "todo list",
] as const;
type Reading = (typeof READINGS)[number];

/** What happens, and after which answer: 0 is the first one, up to 5 the last one, and more than that any. */
export type Step = { at: number } & (
  | { kind: "turn"; reads: Reading }
  | { kind: "another's message" | "another's answer" | "answer again" | "edit" | "todo" | "another's todo" | "file" }
  | { kind: "fact" | "fact by a model" | "fact by a key" | "facts made one's own" | "question by a key" | "mail" }
  | { kind: "fork" | "export and import" }
);

/** A message and whether it is untrusted text for the chat's owner, by itself; of a question also what its answers read, null where they change something. */
export type Node = { id: string; parent: string | null; role: "user" | "assistant"; isUntrusted: boolean; reads?: Reading | null };

/** What the oracle knows: of each message, item and fact whether others may have worded it. */
type Model = { nodes: Map<string, Node>; todos: boolean[]; facts: boolean[] };

const UNTRUSTED_READINGS: ReadonlySet<Reading> = new Set([
  "tool that answers",
  "tool that fails",
  "page of the web",
  "search that fails",
  "Gmail",
  "files of knowledge",
  "another's persona",
]);

/** The whole of the oracle: true where untrusted text is on the path to a message, or goes along as memory. */
function isUntrustedAt({ nodes, facts }: Model, id: string | null): boolean {
  if (facts.some(Boolean)) return true;
  for (let node = nodes.get(id ?? ""); node; node = nodes.get(node.parent ?? "")) if (node.isUntrusted) return true;
  return false;
}

/** The people of one history with what they have. */
export async function makeWorld() {
  const [owner, other] = [await withGmail(), await signIn()];
  const team = await makeTeam("Both", [owner, other]);
  const persona = async (by: Person) => {
    const made = (await by.take(createPersona, { body: { name: "Clerk", content: "Answer as a clerk." } })).persona.id;
    await by.take(updatePersona, { params: { id: made }, body: { team_id: team } });
    return made;
  };
  const connect = async (path: string) =>
    (await owner.take(createMcpConnection, { body: { name: path, server_url: `${env.MCP_SIMULATOR}/${path}/mcp` } })).connection.id;
  const [weather, bills] = [await connect("weather"), await connect("hostile/lies")];
  const { secret } = await owner.take(createApiKey, {
    body: { id: crypto.randomUUID(), name: "Program", scopes: [...API_SCOPES], budget: null },
  });
  for (const person of [owner, other]) await switchOnTestTools(person);
  await owner.take(putToolSettings, { body: { settings: { testSend: { always_allowed: true } } } });
  return {
    owner,
    other,
    key: secret ?? "",
    personas: { own: await persona(owner), other: await persona(other) },
    knowledge: {
      own: await addEntry(owner, { name: "Own", documents: {}, text: "The bridge is closed on Mondays." }),
      files: await addEntry(owner, { name: "Files", documents: { "Bridges.md": "# Bridges\n\nThe bridge is open on Sundays." } }),
    },
    weather: { category: connectionCategory(weather), tool: connectedToolId(weather, "get_weather") },
    bills: { category: connectionCategory(bills), tool: connectedToolId(bills, "fail") },
  };
}
/** Who and what a history is about. */
export type World = Awaited<ReturnType<typeof makeWorld>>;

/** What a message says and sets so that its turn reads this. */
function turnThat(reads: Reading, world: World): { content: string; settings_once?: object; model_id?: string } {
  const call = (tool: string, input: object) => `call ${tool} ${JSON.stringify(input)}\nthen\nsay Done.`;
  switch (reads) {
    case "nothing":
      return { content: "say Done." };
    case "tool that answers":
      return { content: call(world.weather.tool, { place: "Porto" }), settings_once: { tool_categories: [world.weather.category] } };
    case "tool that fails":
      return { content: call(world.bills.tool, {}), settings_once: { tool_categories: [world.bills.category] } };
    case "page of the web":
      return { content: call("parallelWebSearch", { objective: "How do bridges stand?", search_queries: ["stone bridges"] }) };
    case "search that fails":
      return { content: call("parallelWebSearch", { objective: "How do bridges stand?", search_queries: ["fault 400"] }) };
    case "Gmail":
      return { content: call("gmailSearch", { query: "subject:berlin", limit: 1 }) };
    case "own knowledge":
      return { content: "When is the bridge closed?\nsay Done.", settings_once: { context_ids: [world.knowledge.own] } };
    case "files of knowledge":
      return { content: "When is the bridge open?\nsay Done.", settings_once: { context_ids: [world.knowledge.files] } };
    case "own persona":
      return { content: "say Done.", settings_once: { persona_id: world.personas.own } };
    case "another's persona":
      return { content: "say Done.", settings_once: { persona_id: world.personas.other } };
    case "long text":
      return { content: `${FILLER}\nsay Done.`, model_id: SMALL_MODEL };
    case "todo list":
      return { content: call("viewTodoList", {}) };
  }
}

/** What is sent: what its answer reads, or words that change something; `isTyped` unless it holds more than what its sender typed. */
type Sent = { reads?: Reading; content?: string; attachments?: string[]; isTyped?: boolean };

/** One history in one chat, and the oracle beside it. */
export class History {
  readonly model: Model = { nodes: new Map(), todos: [], facts: [] };
  chatId: string = crypto.randomUUID();
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** All answers, in the order in which they came. */
  answers(): Node[] {
    return [...this.model.nodes.values()].filter(({ role }) => role === "assistant");
  }

  /** The answer after which a step goes on. */
  answerAt(place: number): Node {
    const answers = this.answers();
    const found = place === 0 ? answers[0] : place < 6 ? answers.at(-1) : answers[place % answers.length];
    return found ?? expect.fail("There is no answer.");
  }

  questionOf({ parent }: Node): Node {
    return this.model.nodes.get(parent ?? "") ?? expect.fail("An answer has no question.");
  }

  isUntrusted(id: string | null): boolean {
    return isUntrustedAt(this.model, id);
  }

  async #reply(by: Person, replyId: string) {
    const { messages } = await by.take(listMessages, { params: { id: this.chatId }, query: { around: replyId } });
    return messages.find(({ id }) => id === replyId);
  }

  /** Waits for a reply, whose calls their person approves; answers the first call that was asked about. */
  async settle(by: Person, replyId: string): Promise<string | null> {
    let asked: string | null = null;
    await until("the reply to end", async () => {
      const reply = await this.#reply(by, replyId);
      if (reply && ["failed", "stopped", "interrupted"].includes(reply.status))
        throw new Error(`A reply is ${reply.status}: ${JSON.stringify(reply.error)}`);
      for (const { id, status, tool } of reply?.status === "waiting" ? reply.tool_calls : []) {
        if (status !== "waiting") continue;
        asked ??= tool;
        await by.take(decideToolCall, {
          params: { id: this.chatId, callId: id },
          body: { decision: tool === "testSend" ? "discard" : "approve" },
        });
      }
      return reply?.status === "done";
    });
    return asked;
  }

  note(node: Node): void {
    this.model.nodes.set(node.id, node);
  }

  /** True where what an answer reads is untrusted text for the chat's owner. */
  isUntrustedReading(by: Person, reads: Reading): boolean {
    const isOfTodos = reads === "todo list" && this.model.todos.some(Boolean);
    return by !== this.world.owner || this.model.facts.some(Boolean) || isOfTodos || UNTRUSTED_READINGS.has(reads);
  }

  /** A message below this one, answered; where others stand there, it is an edit of one of them, which is no more trusted than that. */
  async send(by: Person, parent: string | null, { reads = "nothing", isTyped = true, ...said }: Sent) {
    const id = crypto.randomUUID();
    const isUntrustedReading = this.isUntrustedReading(by, reads);
    const beside = [...this.model.nodes.values()].filter((node) => node.role === "user" && node.parent === parent);
    const edited = beside.find(({ isUntrusted }) => !isUntrusted) ?? beside[0];
    const body = { id, model_id: CHEAP_MODEL, ...turnThat(reads, this.world), ...said };
    const params = { id: this.chatId };
    // Who goes on with a branch looks at it.
    if (parent !== null && !edited) await this.#reply(by, parent);
    const { replyId } = edited
      ? await by.take(editMessage, { params: { ...params, messageId: edited.id }, body })
      : await by.take(sendMessage, { params, body: { ...body, parent_id: parent } });
    const asked = await this.settle(by, replyId);
    this.note({
      id,
      parent,
      role: "user",
      isUntrusted: by !== this.world.owner || !isTyped || (edited?.isUntrusted ?? false),
      reads: said.content === undefined ? reads : null,
    });
    this.note({ id: replyId, parent: id, role: "assistant", isUntrusted: isUntrustedReading });
    return { id, replyId, asked };
  }

  /** Answers a question again, unless that changed something. */
  async regenerate(by: Person, answer: Node): Promise<void> {
    const question = this.questionOf(answer);
    const { reads = "nothing" } = question;
    if (reads === null) return;
    const isUntrustedReading = this.isUntrustedReading(by, reads);
    const { content: _content, ...settings } = by === this.world.owner ? turnThat(reads, this.world) : { content: "" };
    const body = { id: crypto.randomUUID(), model_id: CHEAP_MODEL, ...settings };
    const { replyId } = await by.take(regenerateReply, { params: { id: this.chatId, messageId: answer.id }, body });
    await this.settle(by, replyId);
    this.note({ id: replyId, parent: question.id, role: "assistant", isUntrusted: isUntrustedReading });
  }

  /** What came by another door than a person's own call: the newest exchange of the owner's branch. */
  async noteNewest(): Promise<void> {
    const { owner } = this.world;
    const [question, answer] = (
      await until("the exchange", async () => {
        const page = await owner.take(listMessages, { params: { id: this.chatId } });
        const last = page.messages.slice(-2);
        return last.at(-1)?.status === "done" && !this.model.nodes.has(last.at(-1)?.id ?? "") ? last : null;
      })
    ).map(({ id, parent_id: parent }) => ({ id, parent }));
    if (!question || !answer) throw new Error("There is no exchange.");
    this.note({ ...question, role: "user", isUntrusted: true });
    this.note({ ...answer, role: "assistant", isUntrusted: true });
  }

  async useKey(name: string, input: Record<string, unknown>): Promise<void> {
    const client = new ToolClient({ name: "test", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${this.world.key}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL("/mcp", ORIGIN), { requestInit, fetch: (url, init) => visit(new URL(url).pathname, init) }),
    );
    const { isError } = await client.callTool({ name, arguments: input });
    if (isError) throw new Error(`${name} was refused.`);
    await client.close();
  }

  /** The chat is another one from now on: `of` says what of each of its messages. */
  async moveTo(chatId: string, of: (index: number) => Pick<Node, "isUntrusted" | "reads">): Promise<void> {
    this.chatId = chatId;
    this.model.nodes.clear();
    this.model.todos.length = 0;
    const { messages } = await this.world.owner.take(listMessages, { params: { id: chatId } });
    for (const [index, { id, parent_id: parent, role }] of messages.entries()) this.note({ id, parent, role, ...of(index) });
    await share(this.world.owner, chatId, this.world.other.email, "editor");
  }

  async take(next: Step): Promise<void> {
    const { owner, other } = this.world;
    const answer = this.answerAt(next.at);
    const text = FACTS[this.model.facts.length % FACTS.length] ?? "";
    switch (next.kind) {
      case "turn":
        await this.send(owner, answer.id, { reads: next.reads });
        return;
      case "another's message":
        await this.send(other, answer.id, {});
        return;
      case "another's answer":
        return this.regenerate(other, answer);
      case "answer again":
        return this.regenerate(owner, answer);
      case "edit": {
        const question = this.questionOf(answer);
        const id = crypto.randomUUID();
        const reading = this.model.facts.some(Boolean);
        const { replyId } = await owner.take(editMessage, {
          params: { id: this.chatId, messageId: question.id },
          body: { id, content: "say Edited.", model_id: CHEAP_MODEL },
        });
        await this.settle(owner, replyId);
        this.note({ id, parent: question.parent, role: "user", isUntrusted: question.isUntrusted });
        this.note({ id: replyId, parent: id, role: "assistant", isUntrusted: reading });
        return;
      }
      case "todo":
      case "another's todo": {
        const by = next.kind === "todo" ? owner : other;
        const { id, replyId } = await this.send(by, answer.id, { content: 'call addTodoItem {"text":"Read"}\nthen\nsay Done.' });
        this.model.todos.push(by === other || this.isUntrusted(id));
        // The whole list is the answer to each change of it.
        const reply = this.model.nodes.get(replyId);
        if (reply && this.model.todos.some(Boolean)) reply.isUntrusted = true;
        return;
      }
      case "file": {
        const fileId = crypto.randomUUID();
        const uploaded = await owner.fetch(`/api/chat/${this.chatId}/attachments/${fileId}?name=notes.txt`, {
          method: "PUT",
          body: "Notes.",
        });
        if (!uploaded.ok) throw new Error(`The upload answered ${uploaded.status}.`);
        await this.send(owner, answer.id, { attachments: [fileId], isTyped: false });
        return;
      }
      case "fact":
        await addFact(owner, text);
        this.model.facts.push(false);
        return;
      case "fact by a model": {
        const { id } = await this.send(owner, answer.id, { content: `call saveMemory ${JSON.stringify({ fact: text })}\nthen\nsay Done.` });
        this.model.facts.push(this.isUntrusted(id));
        return;
      }
      case "fact by a key":
        await this.useKey("save_memory", { fact: text });
        this.model.facts.push(true);
        return;
      case "facts made one's own":
        for (const { id, text: said } of await factsOf(owner)) await owner.take(updateMemory, { params: { id }, body: { text: said } });
        this.model.facts.fill(false);
        return;
      case "question by a key":
        await this.useKey("ask", { message: "say Done.", chat_id: this.chatId, model: CHEAP_MODEL });
        return this.noteNewest();
      case "mail": {
        const text_body = `say ${crypto.randomUUID()}`;
        await deliver({ from: "Eve <eve@elsewhere.example>", to: await addressOfChat(owner, this.chatId), text: text_body });
        const mail = await newestMail(owner, this.chatId, (found) => found.text_body === text_body);
        await owner.take(decideSender, { params: { id: this.chatId, mailId: mail.id }, body: { decision: "allow_once" } });
        await until(
          "its turn",
          async () => (await owner.take(getMail, { params: { id: this.chatId, mailId: mail.id } })).email.turn_id !== null,
        );
        return this.noteNewest();
      }
      case "fork": {
        const path: Node[] = [];
        for (let node: Node | undefined = answer; node; node = this.model.nodes.get(node.parent ?? "")) path.unshift(node);
        const { chat } = await owner.take(forkChat, { params: { id: this.chatId }, body: { messageId: answer.id } });
        return this.moveTo(chat.id, (index) => {
          const { isUntrusted, reads = "nothing" } = path[index] ?? expect.fail("The fork is longer than its path.");
          return { isUntrusted, reads };
        });
      }
      case "export and import": {
        const file = await owner.fetch(`/api/chat/${this.chatId}/export`);
        const { chat } = await owner.take(importChat, { body: ExportedChat.parse(await file.json()) });
        return this.moveTo(chat.id, () => ({ isUntrusted: true, reads: null }));
      }
    }
  }

  /** Has what is always allowed act outside below this answer: whether a word is waited for, and whether the oracle says so. */
  async probe(answer: Node): Promise<{ asks: boolean; expected: boolean }> {
    const { id, asked } = await this.send(this.world.owner, answer.id, { content: 'call testSend {"name":"ann"}\nthen\nsay Done.' });
    return { asks: asked === "testSend", expected: this.isUntrusted(id) };
  }
}
