import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import {
  createMcpConnection,
  deleteMcpConnection,
  listMcpConnections,
  testMcpConnection,
  updateMcpConnection,
} from "#shared/contracts/library/mcp-connections.ts";
import { getToolSettings, listToolCategories, putToolSettings } from "#shared/contracts/tools.ts";
import { signIn } from "#test/support/worker.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { selectConnection } from "#worker/integrations/mcp/queries.ts";
import { connectedToolId } from "#worker/integrations/mcp/served-tool.ts";
import { storeOAuthState } from "#worker/integrations/mcp/sign-in.ts";

const server = (name: string) => `${env.MCP_SIMULATOR}/${name}/mcp`;

it("connections to MCP servers are made with their tools, changed, switched off and deleted by their person alone", async () => {
  const [owner, other] = [await signIn(), await signIn()];
  const body = { name: " Weather ", description: "", server_url: server("weather") };
  const { connection } = await owner.take(createMcpConnection, { body });
  expect(connection).toMatchObject({
    name: "Weather",
    description: null,
    enabled: true,
    state: "ready",
    auth_type: "none",
    changes: null,
  });
  expect(connection.tools).toEqual([
    { name: "get_weather", description: "Tells the weather of a place", says_read_only: true },
    { name: "set.alarm", description: "Rings when the weather of a place changes", says_read_only: false },
  ]);
  const params = { id: connection.id };
  expect((await owner.take(listMcpConnections, {})).connections).toEqual([connection]);
  expect((await other.take(listMcpConnections, {})).connections).toEqual([]);
  for (const call of [other.call(updateMcpConnection, { params, body: { name: "Mine" } }), other.call(deleteMcpConnection, { params })]) {
    expect(await call).toMatchObject({ ok: false, status: 404 });
  }
  const off = await owner.take(updateMcpConnection, { params, body: { ...body, name: "Sky", enabled: false } });
  expect(off.connection).toMatchObject({ name: "Sky", enabled: false, state: "off", tools: connection.tools });

  const category = (await owner.take(listToolCategories, {})).categories.find(({ isDynamic }) => isDynamic);
  const toolId = category?.toolIds[0] ?? "";
  await owner.take(putToolSettings, { body: { settings: { [toolId]: { always_allowed: true }, sendEmail: { enabled: false } } } });
  await owner.take(deleteMcpConnection, { params });
  expect((await owner.take(listMcpConnections, {})).connections).toEqual([]);
  expect(Object.keys((await owner.take(getToolSettings, {})).settings)).toEqual(["sendEmail"]);
});

it("connections to MCP servers are tested before and after: the number and names of tools, or why not", async () => {
  const owner = await signIn();
  const test = (url: string) => owner.take(testMcpConnection, { body: { server_url: url } });
  const everything = await test(server("everything"));
  expect(everything).toMatchObject({ success: true, error: null, needs_sign_in: false });
  expect(everything.tools_count).toBe(everything.tools.length);
  expect(everything.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "get-sum", "get-tiny-image"]));
  expect(await test(server("weather"))).toMatchObject({ success: true, tools_count: 2 });
  expect(await test(server("notes"))).toMatchObject({ success: false, needs_sign_in: true, error: "The server requires authorization." });
  expect(await test(`${env.MCP_SIMULATOR}/nothing`)).toMatchObject({ success: false, error: "This is not an MCP endpoint." });
  const old = await test(`${env.MCP_SIMULATOR}/old/sse`);
  expect(old).toMatchObject({ success: false, error: expect.stringContaining("older HTTP+SSE transport, which is not supported") });
  const tools = [{ name: "task_optional" }, { name: "task_forbidden" }];
  expect(await test(server("hostile/tasks"))).toMatchObject({ success: true, tools_count: 2, tools });
  expect(await test("http://127.0.0.1:9/mcp")).toMatchObject({ success: false, error: "The server could not be reached." });
  expect(await test("https://10.0.0.1/mcp")).toMatchObject({ success: false, error: "This is not an address of the public web." });
  expect(await test("http://example.com/mcp")).toMatchObject({ success: false, error: "The server URL must begin with https://." });
});

it("connections to MCP servers keep keys that no answer shows, and that go to their own server alone", async () => {
  const owner = await signIn();
  const body = { name: "Notes", server_url: server("notes"), auth_type: "bearer" as const, token: "notes-key" };
  const { connection } = await owner.take(createMcpConnection, { body });
  expect(connection).toMatchObject({ state: "ready", auth_type: "bearer", tools: [{ name: "list_notes" }] });
  const row = await env.DB.prepare("SELECT * FROM mcp_connections WHERE id = ?").bind(connection.id).first();
  expect(row?.["credentials"]).toEqual(expect.any(String));
  expect(JSON.stringify(row)).not.toContain("notes-key");
  expect(JSON.stringify(connection)).not.toContain("notes-key");

  const saved = { id: connection.id, server_url: server("notes") };
  expect(await owner.take(testMcpConnection, { body: saved })).toMatchObject({ success: true, tools_count: 1 });
  const elsewhere = new URL(server("notes"));
  elsewhere.hostname = "localhost";
  expect(await owner.take(testMcpConnection, { body: { ...saved, server_url: elsewhere.href } })).toMatchObject({ needs_sign_in: true });
  const params = { id: connection.id };
  const moved = await owner.call(updateMcpConnection, { params, body: { server_url: elsewhere.href } });
  expect(moved).toMatchObject({ ok: false, error: { error: "A token is required." } });

  const headers = { "X-Notes-Key": "notes-key" };
  const changed = await owner.take(updateMcpConnection, { params, body: { auth_type: "headers", headers } });
  expect(changed.connection).toMatchObject({ state: "ready", auth_type: "headers", header_names: ["X-Notes-Key"] });
  const wrong = await owner.take(updateMcpConnection, { params, body: { headers: { "X-Notes-Key": "other" } } });
  expect(wrong.connection).toMatchObject({
    state: "failing",
    error: "The server requires authorization.",
    tools: connection.tools,
  });
});

it("connections to MCP servers are neither trusted nor allowed anything after they moved to another server", async () => {
  const owner = await signIn();
  const body = { name: "Weather", server_url: server("weather"), trusted: true };
  const { id } = (await owner.take(createMcpConnection, { body })).connection;
  const toolId = connectedToolId(id, "set.alarm");
  await owner.take(putToolSettings, { body: { settings: { [toolId]: { always_allowed: true }, sendEmail: { enabled: false } } } });
  await env.DB.prepare("UPDATE mcp_connections SET sign_in = 'under way' WHERE id = ?").bind(id).run();
  const before = await selectConnection(openDatabase(env.DB), owner.user.id, id);
  const elsewhere = new URL(server("weather"));
  elsewhere.hostname = "localhost";
  const moved = await owner.take(updateMcpConnection, { params: { id }, body: { ...body, server_url: elsewhere.href } });
  expect(moved.connection).toMatchObject({ trusted: false, state: "ready" });
  expect(Object.keys((await owner.take(getToolSettings, {})).settings)).toEqual(["sendEmail"]);
  const after = await selectConnection(openDatabase(env.DB), owner.user.id, id);
  expect(after?.sign_in).toBeNull();
  if (!before) throw new Error("There is no connection.");
  expect(await storeOAuthState({ env, db: openDatabase(env.DB) }, before, { expiresAt: 1 })).toBeUndefined();
  expect((await selectConnection(openDatabase(env.DB), owner.user.id, id))?.credentials).toBe(after?.credentials);
});

it("connections to MCP servers want a name, an address of the web and no header that is the protocol's own", async () => {
  const owner = await signIn();
  const server_url = "https://tools.example/mcp";
  const refused = [
    [{ name: " ", server_url }, "The name is required."],
    [{ name: "A", server_url: "" }, "The server URL is required."],
    [{ name: "A", server_url: "tools" }, "The server URL must be a URL."],
    [{ name: "A", server_url: "https://169.254.169.254/mcp" }, "This is not an address of the public web."],
    [{ name: "A", server_url: "https://user:secret@tools.example/mcp" }, "The server URL must not hold a name or a password."],
    [{ name: "A", server_url: server("notes"), auth_type: "bearer" }, "A token is required."],
    [
      { name: "A", server_url: server("notes"), auth_type: "headers", headers: { Host: "evil.example" } },
      "This header is not yours to set.",
    ],
  ] as const;
  for (const [body, error] of refused) {
    expect(await owner.call(createMcpConnection, { body })).toMatchObject({ ok: false, status: 400, error: { error } });
  }
});

it("connections to MCP servers are made and changed though their person's tabs cannot be told", async () => {
  const person = await signIn();
  vi.spyOn(UserHub.prototype, "noteContentChanged").mockRejectedValue(new Error("It ended."));
  const body = { name: "Weather", server_url: server("weather") };
  const { connection } = await person.take(createMcpConnection, { body });
  await person.take(updateMcpConnection, { params: { id: connection.id }, body: { enabled: false } });
  vi.restoreAllMocks();
  expect((await person.take(listMcpConnections, {})).connections).toMatchObject([{ id: connection.id, enabled: false }]);
});

it("connections to MCP servers are at most 20", async () => {
  const owner = await signIn();
  const body = { name: "A", server_url: "http://127.0.0.1:9/mcp", auth_type: "oauth" as const };
  for (let made = 0; made < 20; made += 1) await owner.take(createMcpConnection, { body });
  expect(await owner.call(createMcpConnection, { body })).toMatchObject({ ok: false, status: 400 });
  expect((await owner.take(listMcpConnections, {})).connections).toHaveLength(20);
});
