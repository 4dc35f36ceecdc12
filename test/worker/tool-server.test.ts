import { env } from "cloudflare:workers";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { createArtifact } from "#shared/contracts/artifacts.ts";
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from "#shared/contracts/account/api-keys.ts";
import { createChat, listChats } from "#shared/contracts/chat/chats.ts";
import { createPrompt } from "#shared/contracts/library/prompts.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { listMemories } from "#shared/contracts/memories.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { search } from "#shared/contracts/search.ts";
import { API_SCOPES, type ApiScope } from "#shared/entities/library/api-key.ts";
import { API_KEYS_MAX } from "#shared/limits.ts";
import { ageSignIn } from "#test/support/sign-in.ts";
import { CHEAP_MODEL, startChat, startChatAndRead } from "#test/support/replies.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { connect, Texts, callServerTool } from "#test/support/tool-client.ts";
import { until } from "#test/support/until.ts";
import { ORIGIN, type Person, refusal, signIn, visit } from "#test/support/worker.ts";

/** Its answer is reserved for more than a cent. */
const DEAR_MODEL = "openai/gpt-5";

type NewKey = { scopes?: ApiScope[]; budget?: number | null; name?: string };

const newKey = ({ scopes = [...API_SCOPES], budget = null, name = "Editor" }: NewKey = {}) => ({
  body: { id: crypto.randomUUID(), name, scopes, budget },
});

async function secretOf(person: Person, key: NewKey = {}): Promise<string> {
  const { secret } = await person.take(createApiKey, newKey(key));
  if (secret === null) throw new Error("The key came without its secret.");
  return secret;
}

/** One request of the protocol, as an older client sends it. */
function post(secret: string | null, headers: Record<string, string> = {}): Promise<Response> {
  return visit("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(secret !== null && { authorization: `Bearer ${secret}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
}

const Asked = z.object({ chat_id: z.string(), text: z.string(), model: z.nullable(z.string()) });

it("A key is shown once, stands with what it may do, is changed, and is refused once it is revoked", async () => {
  const person = await signIn();
  const asked = newKey({ scopes: ["chats"], budget: 5, name: " Editor " });
  const { key, secret } = await person.take(createApiKey, asked);
  expect(secret).toMatch(/^plg_[\w-]{43}$/);
  expect(key).toMatchObject({ name: "Editor", scopes: ["chats"], budget: 5, spent: 0, last_used_at: null, hint: secret?.slice(-4) });
  expect((await person.take(createApiKey, asked)).secret).toBe(secret);

  expect((await post(secret)).status).toBe(200);
  expect((await person.take(createApiKey, asked)).secret).toBeNull();
  const { keys } = await person.take(listApiKeys, {});
  expect(keys).toHaveLength(1);
  expect(keys[0]?.last_used_at).not.toBeNull();

  const params = { id: key.id };
  const changed = await person.take(updateApiKey, { params, body: { scopes: ["ask"], budget: null } });
  expect(changed.key).toMatchObject({ name: "Editor", scopes: ["ask"], budget: null });
  expect((await (await connect(secret ?? "")).listTools()).tools.map(({ name }) => name)).toEqual(["ask"]);

  await person.take(deleteApiKey, { params });
  expect((await post(secret)).status).toBe(401);
  expect((await person.take(listApiKeys, {})).keys).toEqual([]);
  expect(refusal(await person.call(updateApiKey, { params, body: { name: "Back" } }))).toBe("NOT_FOUND");
  expect(refusal(await person.call(createApiKey, asked))).toBe("CONFLICT");
});

it("A key is made and changed by who signed in within the last hour alone", async () => {
  const person = await signIn();
  const { key } = await person.take(createApiKey, newKey());
  await ageSignIn(person, 61);
  expect(refusal(await person.call(createApiKey, newKey()))).toBe("FRESH_SIGN_IN_REQUIRED");
  expect(refusal(await person.call(updateApiKey, { params: { id: key.id }, body: { budget: null } }))).toBe("FRESH_SIGN_IN_REQUIRED");
  await person.take(deleteApiKey, { params: { id: key.id } });
});

it("A key is its owner's alone, and its secret stands nowhere", async () => {
  const [owner, other] = [await signIn(), await signIn()];
  const { key, secret } = await owner.take(createApiKey, newKey());
  expect(refusal(await other.call(deleteApiKey, { params: { id: key.id } }))).toBe("NOT_FOUND");
  expect(refusal(await other.call(updateApiKey, { params: { id: key.id }, body: { name: "Mine" } }))).toBe("NOT_FOUND");
  expect(refusal(await other.call(createApiKey, { body: { ...newKey().body, id: key.id } }))).toBe("CONFLICT");
  const rows = await env.DB.prepare("SELECT * FROM api_keys").all();
  expect(JSON.stringify(rows.results)).not.toContain(secret);
});

it("A key is one of twenty at most, has a name, and is allowed something", async () => {
  const person = await signIn();
  for (let made = 0; made < API_KEYS_MAX; made++) await person.take(createApiKey, newKey());
  expect(refusal(await person.call(createApiKey, newKey()))).toBe("API_KEYS_FULL");
  expect(refusal(await person.call(createApiKey, newKey({ name: " " })))).toBe("INVALID_INPUT");
  expect(refusal(await person.call(createApiKey, newKey({ scopes: [] })))).toBe("INVALID_INPUT");
  expect(refusal(await person.call(createApiKey, newKey({ budget: 0 })))).toBe("INVALID_INPUT");
});

it("The tool server finds and reads no mails, which no scope names", async () => {
  const person = await signIn();
  const { chatId } = await startChatAndRead(person, "say The lighthouse is near.");
  await addMailToRoom(chatId, { from_addr: "rui@figueiredo.example", subject: "Lighthouse", text_body: "The lighthouse is billed apart." });
  const client = await connect(await secretOf(person));
  const found = await until("what is found", async () => {
    const { text } = await callServerTool(client, "search_chats", { query: "lighthouse", limit: 10 });
    const { hits } = await person.take(search, { query: { q: "lighthouse" } });
    return text.includes("is near") && hits.some(({ kind }) => kind === "email") ? text : null;
  });
  expect(found).not.toContain("billed apart");
  const asked = await callServerTool(client, "search_chats", { query: "in:emails lighthouse", limit: 10 });
  expect(asked.text).toBe("Nothing was found.");
  const { text } = await callServerTool(client, "read_chat", { chat_id: chatId });
  expect(text).toContain("The lighthouse is near.");
  expect(text).not.toMatch(/rui@figueiredo|billed apart/);
});

it("The tool server answers a client from before the protocol's last change of generation", async () => {
  const person = await signIn();
  const headers = { authorization: `Bearer ${await secretOf(person)}` };
  const client = new OlderClient({ name: "older", version: "1.0.0" });
  const transport = new OlderTransport(new URL("/mcp", ORIGIN), {
    requestInit: { headers },
    fetch: (url, init) => visit(new URL(url).pathname, init),
  });
  await client.connect(transport);
  expect((await client.listTools()).tools).toHaveLength(8);
  const result = await client.callTool({ name: "ask", arguments: { message: "say Heard.", model: CHEAP_MODEL } });
  expect(Texts.parse(result).content[0]?.text).toBe("Heard.");
});

it("The tool server asks for a key, takes no page of another site, and opens no stream", async () => {
  const secret = await secretOf(await signIn());
  const without = await post(null);
  expect(without.status).toBe(401);
  expect(without.headers.get("www-authenticate")).toBe('Bearer realm="localhost"');
  const wrong = await post(`plg_${"x".repeat(43)}`);
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
  expect((await post(secret, { origin: "https://evil.example" })).status).toBe(403);
  expect((await post(secret, { origin: ORIGIN })).status).toBe(200);
  const headers = { authorization: `Bearer ${secret}`, accept: "text/event-stream" };
  expect((await visit("/mcp", { headers })).status).toBe(405);
});

it("The tool server takes no cookie for a key, and a key for no cookie", async () => {
  const person = await signIn();
  const secret = await secretOf(person);
  expect((await person.fetch("/mcp", { method: "POST", body: "{}" })).status).toBe(401);
  expect((await visit(listChats.path, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(401);
});

it("The tool server refuses who was blocked, and guesses after a while", async () => {
  const person = await signIn();
  const secret = await secretOf(person);
  await env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?").bind(new Date().toISOString(), person.user.id).run();
  expect((await post(secret)).status).toBe(403);
  const guesses = await Promise.all(Array.from({ length: 61 }, () => post(`plg_${"y".repeat(43)}`, { "cf-connecting-ip": "203.0.113.9" })));
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(1);
});

it.each(["auto", "legacy"] as const)("The tool server offers what the key allows to clients of both generations (%s)", async (mode) => {
  const person = await signIn();
  const all = (await (await connect(await secretOf(person), mode)).listTools()).tools;
  expect(all.map(({ name }) => name)).toEqual([
    "search_chats",
    "read_chat",
    "ask",
    "list_artifacts",
    "read_artifact",
    "list_prompts",
    "read_prompt",
    "save_memory",
  ]);
  for (const { inputSchema, description } of all) {
    expect(inputSchema.type).toBe("object");
    expect(description).toBeTruthy();
  }
  const few = await connect(await secretOf(person, { scopes: ["prompts"] }), mode);
  expect((await few.listTools()).tools.map(({ name }) => name)).toEqual(["list_prompts", "read_prompt"]);
  await expect(few.callTool({ name: "ask", arguments: { message: "say no" } })).rejects.toThrow(/ask/);
});

it("The tool server begins a chat, goes on in it, and reports what came of it", async () => {
  const person = await signIn();
  const client = await connect(await secretOf(person));
  const first = await callServerTool(client, "ask", { message: "say The lantern is lit.", model: CHEAP_MODEL });
  expect(first).toMatchObject({ text: "The lantern is lit.", isError: false });
  const { chat_id: id, model } = Asked.parse(first.data);
  expect(model).toBe(CHEAP_MODEL);
  const second = await callServerTool(client, "ask", { message: "say And out.", chat_id: id });
  expect(second.text).toBe("And out.");
  const { messages } = await person.take(listMessages, { params: { id }, query: {} });
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect((await person.take(listChats, { query: {} })).chats.map((chat) => chat.id)).toEqual([id]);

  const failed = await callServerTool(client, "ask", { message: "hello\nfault 403-moderation", chat_id: id });
  expect(failed.isError).toBe(true);
  expect(failed.text).toContain(`/c/${id}`);
  expect(await callServerTool(client, "ask", { message: "say hi", model: "no/such-model" })).toMatchObject({
    isError: true,
    text: "Model no/such-model not found",
  });
});

it("The tool server answers a repeated request with the first answer, and asks nothing twice", async () => {
  const person = await signIn();
  const client = await connect(await secretOf(person));
  const asked = { message: "say The lantern is lit.", model: CHEAP_MODEL, request_id: "lantern-1" };
  const [one, other] = await Promise.all([callServerTool(client, "ask", asked), callServerTool(client, "ask", asked)]);
  const { chat_id: id } = Asked.parse(one.data);
  expect(other).toEqual(one);
  await callServerTool(client, "ask", { message: "say And out.", chat_id: id, request_id: "lantern-2" });
  // None but the first two counts for anything.
  await until("their charges alone", async () => (await person.take(listApiKeys, {})).keys.some(({ spent }) => spent > 0 && spent < 0.01));
  expect(await callServerTool(client, "ask", asked)).toEqual(one);
  const again = await Promise.all(
    [1, 2].map(() => callServerTool(client, "ask", { message: "say And out.", chat_id: id, request_id: "lantern-2" })),
  );
  expect(again.map(({ text }) => text)).toEqual(["And out.", "And out."]);
  expect((await person.take(listMessages, { params: { id }, query: {} })).messages).toHaveLength(4);
  expect((await person.take(listChats, { query: {} })).chats).toHaveLength(1);
  expect(await callServerTool(client, "ask", { ...asked, message: "say Other." })).toMatchObject({
    isError: true,
    text: expect.stringContaining("request_id"),
  });
  const others = await connect(await secretOf(person));
  expect(Asked.parse((await callServerTool(others, "ask", asked)).data).chat_id).not.toBe(id);
});

it("The tool server says that an answer waits for the user's word", async () => {
  const person = await signIn();
  const client = await connect(await secretOf(person));
  const { chat } = await person.take(createChat, { body: { tool_categories: ["email"], model_id: CHEAP_MODEL } });
  const mail = { to: ["a@example.com"], subject: "Hi", body: "Hello" };
  const message = `call sendEmail ${JSON.stringify(mail)}\nthen\nsay Sent.`;
  await person.take(putToolSettings, { body: { settings: { sendEmail: { always_allowed: true } } } });
  const waiting = async () => {
    const { messages } = await person.take(listMessages, { params: { id: chat.id }, query: {} });
    return messages.at(-1)?.tool_calls.find(({ status }) => status === "waiting");
  };
  expect((await callServerTool(client, "ask", { message, chat_id: chat.id })).text).toContain("waits for the user's approval");
  const call = await until("the call", waiting);
  await person.take(decideToolCall, { params: { id: chat.id, callId: call.id }, body: { decision: "approve" } });
  await until("its end", async () => {
    const { messages } = await person.take(listMessages, { params: { id: chat.id }, query: {} });
    return messages.at(-1)?.status === "done";
  });
  // To the same address, which a person's own message would write to unasked.
  expect((await callServerTool(client, "ask", { message, chat_id: chat.id })).text).toContain("waits for the user's approval");
  const narrow = await connect(await secretOf(person, { scopes: ["ask"] }));
  expect(await callServerTool(narrow, "ask", { message: "say again", chat_id: chat.id })).toMatchObject({ isError: true });
});

it("The tool server finds and reads the user's chats, artifacts and prompts, and nobody else's", async () => {
  const [person, other] = [await signIn(), await signIn()];
  const chat = await startChatAndRead(person, "say Cinnamon belongs in it.");
  const { id } = await person.take(createArtifact, { body: { title: "Recipe", content: "# Buns" } });
  const { prompt } = await person.take(createPrompt, { body: { name: "Shorten", content: "Shorten {{text}}." } });
  const client = await connect(await secretOf(person));
  await until("the chat to be found", async () =>
    (await callServerTool(client, "search_chats", { query: "cinnamon" })).text.includes(chat.chatId),
  );
  expect((await callServerTool(client, "read_chat", { chat_id: chat.chatId })).text).toContain("Cinnamon belongs in it.");
  expect((await callServerTool(client, "list_artifacts", { query: "recipe" })).text).toContain(id);
  expect((await callServerTool(client, "read_artifact", { artifact_id: id })).text).toBe("# Buns");
  expect((await callServerTool(client, "list_prompts", {})).text).toContain(prompt.id);
  expect((await callServerTool(client, "read_prompt", { prompt_id: prompt.id })).text).toBe("Shorten {{text}}.");

  const stranger = await connect(await secretOf(other));
  expect((await callServerTool(stranger, "search_chats", { query: "cinnamon" })).text).toBe("Nothing was found.");
  const refused = await Promise.all([
    callServerTool(stranger, "read_chat", { chat_id: chat.chatId }),
    callServerTool(stranger, "read_artifact", { artifact_id: id }),
    callServerTool(stranger, "read_prompt", { prompt_id: prompt.id }),
    callServerTool(stranger, "ask", { chat_id: chat.chatId, message: "say hi" }),
  ]);
  expect(refused.map(({ isError }) => isError)).toEqual([true, true, true, true]);
});

it("The tool server saves a fact, unless memory is off", async () => {
  const person = await signIn();
  const client = await connect(await secretOf(person));
  expect((await callServerTool(client, "save_memory", { fact: "Likes tea" })).text).toContain("Likes tea");
  expect((await person.take(listMemories, { query: {} })).memories.map(({ text }) => text)).toEqual(["Likes tea"]);
  await person.take(updateUser, { body: { memory_enabled: false } });
  expect(await callServerTool(client, "save_memory", { fact: "Likes rain" })).toMatchObject({ isError: true });
  expect((await person.take(listMemories, { query: {} })).memories).toHaveLength(1);
});

it("The tool server saves to memory by its own tool alone", async () => {
  const person = await signIn();
  const client = await connect(await secretOf(person, { scopes: ["ask"] }));
  const message = 'call saveMemory {"fact":"Likes tea"}\nthen\nsay Noted.';
  await callServerTool(client, "ask", { message, model: CHEAP_MODEL });
  expect((await person.take(listMemories, { query: {} })).memories).toEqual([]);
});

it("The tool server counts no answer that did not begin", async () => {
  const person = await signIn();
  const { key, secret } = await person.take(createApiKey, newKey({ budget: 0.01 }));
  const client = await connect(secret ?? "");
  const { chatId } = await startChat(person, "delay 5000\nsay Late.");
  expect((await callServerTool(client, "ask", { message: "say x", chat_id: chatId })).isError).toBe(true);
  expect((await person.take(listApiKeys, {})).keys.find(({ id }) => id === key.id)?.spent).toBe(0);
});

it("The tool server counts what a key's answers cost, and stops at its budget", async () => {
  const person = await signIn();
  const { key, secret } = await person.take(createApiKey, newKey({ budget: 0.01 }));
  const client = await connect(secret ?? "");
  const spent = async () => (await person.take(listApiKeys, {})).keys.find(({ id }) => id === key.id)?.spent ?? 0;
  expect((await callServerTool(client, "ask", { message: "say One.", model: CHEAP_MODEL })).isError).toBe(false);
  await until("the charge", async () => (await spent()) > 0 && (await spent()) < 0.01);
  await person.take(updateApiKey, { params: { id: key.id }, body: { budget: 0.01 } });
  // An answer on its way counts as what is reserved for it.
  const refusedFor = (await callServerTool(client, "ask", { message: "say Two.", model: DEAR_MODEL })).text;
  expect(refusedFor).toContain("left of this key's budget of the month");
  const reservedDollars = Number(/about \$([\d.]+)/.exec(refusedFor)?.[1]);
  expect(reservedDollars).toBeGreaterThan(0.01);
  // Enough for one of them, and too little for both.
  await person.take(updateApiKey, {
    params: { id: key.id },
    body: { budget: Number(((await spent()) + 2 * reservedDollars - 0.0005).toFixed(4)) },
  });
  const both = await Promise.all([
    callServerTool(client, "ask", { message: "say Two.\nspeed 1", model: DEAR_MODEL }),
    callServerTool(client, "ask", { message: "say Three.\nspeed 1", model: DEAR_MODEL }),
  ]);
  expect(both.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([expect.stringContaining("budget of the month")]);
});
