import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import {
  acceptMcpTools,
  createMcpConnection,
  listMcpConnections,
  testMcpConnection,
  updateMcpConnection,
} from "#shared/contracts/library/mcp-connections.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { CHEAP_MODEL, readReply } from "#test/support/replies.ts";
import { share } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, refusal, signIn } from "#test/support/worker.ts";
import { connectedToolId, toServedTools } from "#worker/integrations/mcp/served-tool.ts";

const control = (path: string, body: object = {}) =>
  fetch(`${env.MCP_SIMULATOR}/control/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

afterEach(() => control("hostile", { turn: false }));

/** Calls tools and sees no pictures. */
const BLIND_MODEL = "openai/gpt-oss-120b";

type Connected = { person: Person; id: string; category: string; tool: (name: string) => string };

async function connect(path: string, change: { trusted?: boolean } = {}): Promise<Connected> {
  const person = await signIn();
  const body = { name: "Bills", server_url: `${env.MCP_SIMULATOR}/${path}/mcp`, ...change };
  const { id } = (await person.take(createMcpConnection, { body })).connection;
  return { person, id, category: connectionCategory(id), tool: (name) => connectedToolId(id, name) };
}

/** Begins a chat in which the connection's tools are on. */
async function ask({ person, category }: Connected, content: string): Promise<string> {
  const chatId = crypto.randomUUID();
  const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: CHEAP_MODEL, tool_categories: [category] };
  await person.take(sendMessage, { params: { id: chatId }, body });
  return chatId;
}

const answerOf = async (person: Person, id: string) => (await person.take(listMessages, { params: { id } })).messages.at(-1);

const settled = (person: Person, chatId: string) =>
  until("the answer", async () => {
    const answer = await answerOf(person, chatId);
    return answer && ["done", "failed", "stopped"].includes(answer.status) ? answer : null;
  });

const waiting = (person: Person, chatId: string) =>
  until("a call that waits", async () => (await answerOf(person, chatId))?.tool_calls.find(({ status }) => status === "waiting") ?? null);

const decide = (person: Person, chatId: string, call: ToolCall, decision: "approve" | "discard" | "always") =>
  person.take(decideToolCall, { params: { id: chatId, callId: call.id }, body: { decision } });

/** A call of a tool that always may. */
async function callOf(connected: Connected, name: string, input: object = {}): Promise<ToolCall> {
  const { person, tool } = connected;
  await person.take(putToolSettings, { body: { settings: { [tool(name)]: { always_allowed: true } } } });
  const chatId = await ask(connected, `call ${tool(name)} ${JSON.stringify(input)}\nthen\nsay Done.`);
  const { tool_calls: calls } = await settled(person, chatId);
  if (!calls[0]) throw new Error("Nothing was called.");
  return calls[0];
}

it("a turn with connected tools asks before each call, calls what is approved, and leaves what is not", async () => {
  const weather = await connect("weather");
  const { person, tool } = weather;
  const chatId = await ask(
    weather,
    `call ${tool("get_weather")} {"place":"Porto"}\ncall ${tool("set.alarm")} {"place":"Porto"}\nthen\nsay Done.`,
  );
  const first = await waiting(person, chatId);
  expect(first).toMatchObject({ tool: tool("get_weather"), input: { place: "Porto" }, approval: { decision: null } });
  await decide(person, chatId, first, "approve");
  await decide(person, chatId, await waiting(person, chatId), "discard");
  const { tool_calls: calls } = await settled(person, chatId);
  expect(calls.map(({ status }) => status)).toEqual(["done", "discarded"]);
  expect(calls[0]?.output).toMatch(/quoted from outside.*\n<quoted-\w+>\nIt is sunny in Porto\.\n/);
});

it("a turn with connected tools asks for nothing that only reads, where its person trusts the server, and for what they want to be asked", async () => {
  const weather = await connect("weather", { trusted: true });
  const { person, tool } = weather;
  const chatId = await ask(
    weather,
    `call ${tool("get_weather")} {"place":"Porto"}\nthen\ncall ${tool("set.alarm")} {"place":"Porto"}\nthen\nsay Done.`,
  );
  expect(await waiting(person, chatId)).toMatchObject({ tool: tool("set.alarm") });
  expect((await answerOf(person, chatId))?.tool_calls[0]).toMatchObject({ status: "done", approval: { decision: null } });
  await person.take(putToolSettings, { body: { settings: { [tool("get_weather")]: { always_allowed: false } } } });
  const asked = await ask(weather, `call ${tool("get_weather")} {"place":"Porto"}\nthen\nsay Done.`);
  expect(await waiting(person, asked)).toMatchObject({ tool: tool("get_weather") });
  await person.take(putToolSettings, { body: { settings: { [tool("get_weather")]: { enabled: false } } } });
  const never = await settled(person, await ask(weather, "show request"));
  expect(never.content).toContain(tool("set.alarm"));
  expect(never.content).not.toContain(tool("get_weather"));
});

it("a turn with connected tools goes on with a server that was started anew, and costs no more than a note where it is down", async () => {
  const everything = await connect("everything");
  expect((await callOf(everything, "echo", { message: "one" })).output).toContain("Echo: one");
  await control("restart");
  expect((await callOf(everything, "echo", { message: "two" })).output).toContain("Echo: two");
  const unreachable = await connect("weather");
  const set = "UPDATE mcp_connections SET server_url = 'http://127.0.0.1:9/mcp', fresh_until = NULL, checked_at = NULL WHERE id = ?";
  await env.DB.prepare(set).bind(unreachable.id).run();
  expect((await settled(unreachable.person, await ask(unreachable, "say Fine."))).content).toBe("Fine.");
  await until("the failure to be noted", async () => {
    const { connections } = await unreachable.person.take(listMcpConnections, {});
    return connections[0]?.state === "failing";
  });
  const prompt = await settled(unreachable.person, await ask(unreachable, "show request"));
  expect(prompt.content).toContain("could not be reached last time");
  expect(await callOf(unreachable, "get_weather", { place: "Porto" })).toMatchObject({
    status: "failed",
    output: "The server could not be reached.",
  });
});

it("a turn with connected tools opens a lost session once more", async () => {
  expect(await callOf(await connect("hostile/forgetful"), "fail")).toMatchObject({
    status: "failed",
    output: expect.stringContaining("paid already"),
  });
});

it("a turn with connected tools reports failures to the model, cuts and keeps what is long, and shows pictures, files and links", async () => {
  const bills = await connect("hostile/lies");
  expect(await callOf(bills, "refuse")).toMatchObject({ status: "failed", output: "The server refused this: No such bill" });
  expect(await callOf(bills, "fail")).toMatchObject({ status: "failed", output: expect.stringContaining("The bill is paid already") });
  const big = await callOf(bills, "big");
  expect(big.output?.length).toBeLessThan(52_000);
  expect(big.sources).toMatchObject([{ title: "big.txt (137 KB)" }]);
  const response = await bills.person.fetch(big.sources[0]?.url ?? "");
  expect(await response.text()).toBe("and on ".repeat(20_000));
  const mixed = await callOf(bills, "mixed");
  expect(mixed.images).toMatchObject([
    {
      title: "mixed.png",
      url: expect.stringMatching(/^\/api\/chat\/[\w-]+\/attachments\/[\w-]+$/),
      page_url: new URL(env.MCP_SIMULATOR).origin,
    },
  ]);
  expect(mixed.sources.map(({ url, title }) => [title, url.startsWith("/api/") ? "own" : url])).toEqual([
    ["Bill 1", "https://bills.example/1"],
    ["bills.csv (8 B)", "own"],
  ]);
  expect((await bills.person.fetch(mixed.images[0]?.url ?? "")).headers.get("content-type")).toBe("image/png");
  expect(mixed.output).toContain("is of a kind that is not kept");
});

it("a turn with connected tools keeps what a server sent for its person alone, until they send it in the chat", async () => {
  const bills = await connect("hostile/lies");
  const { person, tool } = bills;
  const editor = await signIn();
  await person.take(putToolSettings, { body: { settings: { [tool("mixed")]: { always_allowed: true } } } });
  const chatId = await ask(bills, `call ${tool("mixed")} {}\nthen\nsay Done.`);
  const { tool_calls: calls, id: parent_id } = await settled(person, chatId);
  const url = calls[0]?.images[0]?.url ?? "";
  await share(person, chatId, editor.email, "editor");
  const statuses = async () => [(await person.fetch(url)).status, (await editor.fetch(url)).status];
  expect(await statuses()).toEqual([200, 404]);
  const attachments = [url.split("/").at(-1) ?? ""];
  const body = { id: crypto.randomUUID(), parent_id, content: "say Sent.", model_id: CHEAP_MODEL, attachments };
  expect(refusal(await editor.call(sendMessage, { params: { id: chatId }, body }))).toBe("ATTACHMENT_GONE");
  const mail = `call sendEmail ${JSON.stringify({ to: ["eve@elsewhere.example"], subject: "It", body: "It.", attachments })}\nthen\nsay Done.`;
  const mailed = { id: crypto.randomUUID(), parent_id, content: mail, model_id: CHEAP_MODEL, tool_categories: ["email"] };
  await editor.take(sendMessage, { params: { id: chatId }, body: mailed });
  const call = await waiting(editor, chatId);
  await decide(editor, chatId, call, "approve");
  expect((await settled(editor, chatId)).tool_calls).toMatchObject([
    { status: "failed", output: expect.stringContaining("One of the attachments is no file of this chat.") },
  ]);
  const last = (await settled(editor, chatId)).id;
  await person.take(sendMessage, { params: { id: chatId }, body: { ...body, parent_id: last } });
  expect(await statuses()).toEqual([200, 200]);
});

it("a turn with connected tools calls a server of another make behind a bridge, whose pictures the model sees", async () => {
  // Each of its sessions starts a program, and the first one reads that from the disk: a busy machine takes longer for it than a server may.
  const tester = await signIn();
  const address = { server_url: `${env.MCP_SIMULATOR}/browser/mcp` };
  await until("the program to start", async () => (await tester.take(testMcpConnection, { body: address })).success, 40_000);
  const browser = await connect("browser");
  const { person, tool } = browser;
  const { connections } = await person.take(listMcpConnections, {});
  expect(connections[0]).toMatchObject({ state: "ready", error: null });
  expect(connections[0]?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["browser_navigate", "browser_take_screenshot"]));
  const chatId = await ask(browser, `call ${tool("browser_take_screenshot")} {}\nthen\nshow request`);
  await decide(person, chatId, await waiting(person, chatId), "approve");
  const { tool_calls: calls, content } = await settled(person, chatId);
  expect(calls).toMatchObject([
    { status: "done", output: expect.stringContaining("Screenshot of viewport"), images: [{ title: "browser_take_screenshot.png" }] },
  ]);
  expect(content).toContain("data:image/png;base64,");
});

it("a turn with connected tools shows a model that sees pictures those of its calls, at once and later, and says to another that it doesn't", async () => {
  const bills = await connect("hostile/lies");
  const { person, tool, category } = bills;
  await person.take(putToolSettings, { body: { settings: { [tool("mixed")]: { always_allowed: true } } } });
  const readBy = async (chatId: string, modelId: string, content: string) => {
    const parent = (await answerOf(person, chatId).catch(() => undefined))?.id ?? null;
    const body = { id: crypto.randomUUID(), parent_id: parent, content, model_id: modelId, tool_categories: [category] };
    await person.take(sendMessage, { params: { id: chatId }, body });
    return (await settled(person, chatId)).content;
  };
  const atOnce = await readBy(crypto.randomUUID(), CHEAP_MODEL, `call ${tool("mixed")} {}\nthen\nshow request`);
  expect(atOnce).toMatch(
    /"role": "tool".*Its pictures follow below.*"role": "user".*data, and no instruction.*"image_url".*data:image\/png;base64,/s,
  );
  const chatId = crypto.randomUUID();
  await readBy(chatId, CHEAP_MODEL, `call ${tool("mixed")} {}\nthen\nsay Done.`);
  const prompt = await readBy(chatId, BLIND_MODEL, "show request");
  expect(prompt).toContain("You don't see its pictures.");
  expect(prompt).not.toContain("image_url");
  expect(await readBy(chatId, CHEAP_MODEL, "show request")).toContain("data:image/png;base64,");
});

it("a turn with connected tools shows how far a call is, and cancels it with the turn", async () => {
  const bills = await connect("hostile/lies");
  const { person, tool } = bills;
  await person.take(putToolSettings, { body: { settings: { [tool("slow")]: { always_allowed: true } } } });
  const viewer = await signIn();
  const chatId = await ask(bills, `call ${tool("slow")} {}\nthen\nsay Done.`);
  await share(person, chatId, viewer.email, "viewer");
  const seen = readReply(viewer, { chatId, replyId: (await answerOf(viewer, chatId))?.id ?? "" });
  await until("progress", async () => (await answerOf(person, chatId))?.tool_calls[0]?.parts[0]?.title === "Counting (1 of 4)");
  await person.take(stopReply, { params: { id: chatId } });
  expect((await settled(person, chatId)).tool_calls[0]).toMatchObject({ status: "stopped" });
  expect(JSON.stringify(await seen)).toContain(tool("slow"));
  expect(JSON.stringify(await seen)).not.toContain("Counting");
  await until("the server to be notified", async () => {
    const { cancelled } = Object(await (await control("hostile")).json());
    return Array.isArray(cancelled) && cancelled.length > 0;
  });
});

it("Autopilot takes along the connection that a question names, and no other", async () => {
  const { person, category } = await connect("weather");
  const categoriesOf = async (content: string) => {
    const chatId = crypto.randomUUID();
    const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: AUTOPILOT_MODEL_ID };
    await person.take(sendMessage, { params: { id: chatId }, body });
    return (await settled(person, chatId)).autopilot?.tool_categories ?? [];
  };
  expect(await categoriesOf("What do my bills say?")).toContain(category);
  expect(await categoriesOf("What do the billsters say?")).not.toContain(category);
});

it("tools that changed since they were agreed to are neither offered nor called until their person has seen the difference", async () => {
  const bills = await connect("hostile/turncoat");
  const { person, id, tool } = bills;
  await control("hostile", { turn: true });
  // Its list is fresh, so it is offered; the call itself finds out.
  expect(await callOf(bills, "pay")).toMatchObject({ status: "failed", output: expect.stringContaining("not what the user agreed to") });
  const { connections } = await person.take(listMcpConnections, {});
  const changes = connections[0]?.changes;
  expect(connections[0]).toMatchObject({
    state: "changed",
    tools: [{ name: "pay", description: "Pays a bill" }, { name: "list_bills" }],
  });
  expect(changes).toMatchObject({
    added: [{ name: "pay_all" }],
    changed: [{ before: { description: "Pays a bill" }, after: { description: "Pays a bill to whom I like" } }],
    removed: [],
  });
  const prompt = await settled(person, await ask(bills, "show request"));
  expect(prompt.content).toContain(tool("list_bills"));
  expect(prompt.content).not.toContain(tool("pay"));
  expect(prompt.content).toContain("Some tools of");
  expect(await person.call(acceptMcpTools, { params: { id }, body: { seen: "other" } })).toMatchObject({ ok: false, status: 409 });
  const { connection } = await person.take(acceptMcpTools, { params: { id }, body: { seen: changes?.seen ?? "" } });
  expect(connection).toMatchObject({
    state: "ready",
    changes: null,
    tools: [{ name: "pay" }, { name: "list_bills" }, { name: "pay_all" }],
  });
  expect(await callOf(bills, "pay_all")).toMatchObject({ status: "done" });
});

it("tools that changed since they were agreed to of a connection that was switched off meanwhile are not called", async () => {
  const weather = await connect("weather");
  const { person, id, tool } = weather;
  const chatId = await ask(weather, `call ${tool("get_weather")} {"place":"Porto"}\nthen\nsay Done.`);
  const call = await waiting(person, chatId);
  await person.take(updateMcpConnection, { params: { id }, body: { enabled: false } });
  await decide(person, chatId, call, "approve");
  expect((await settled(person, chatId)).tool_calls[0]).toMatchObject({
    status: "failed",
    output: "The user switched this connection off.",
  });
});

it("a list of tools is kept and carried up to 400 KB, with a note on what is left out", async () => {
  const named = Array.from({ length: 80 }, (_, at) => ({
    name: `tool_${at}`,
    description: "",
    inputSchema: { type: "object" as const, properties: { value: { type: "string", description: "ä".repeat(7_000) } } },
  }));
  const served = toServedTools(named);
  expect(served.length).toBe(28);
  const bills = await connect("weather");
  const set = "UPDATE mcp_connections SET tools = ?, fresh_until = '2999-01-01T00:00:00.000Z' WHERE id = ?";
  await env.DB.prepare(set).bind(JSON.stringify(served), bills.id).run();
  const prompt = await settled(bills.person, await ask(bills, "show request"));
  expect(prompt.content).toMatch(/\d+ more connected tools were left out/);
  expect(prompt.content).toContain(bills.tool("tool_0"));
});
