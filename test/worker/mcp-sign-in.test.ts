import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import {
  createMcpConnection,
  deleteMcpConnection,
  getMcpClient,
  listMcpConnections,
  signInToMcp,
  testMcpConnection,
  updateMcpConnection,
} from "#shared/contracts/library/mcp-connections.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { CHEAP_MODEL } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { selectConnection } from "#worker/integrations/mcp/queries.ts";
import { connectedToolId } from "#worker/integrations/mcp/served-tool.ts";
import { storeOAuthState } from "#worker/integrations/mcp/sign-in.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";

const server_url = `${env.MCP_SIMULATOR}/vault/mcp`;

type Change = { fault?: string | null; short?: boolean; revoke?: "access" | "all"; forget?: boolean; member?: string };

async function notify(change: Change, name = "vault"): Promise<number> {
  const response = await fetch(`${env.MCP_SIMULATOR}/control/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(change),
  });
  return z.object({ refreshes: z.number() }).parse(await response.json()).refreshes;
}

afterEach(() => notify({ fault: null, short: false }));

async function connect(person: Person): Promise<string> {
  const { connection } = await person.take(createMcpConnection, { body: { name: "Vault", server_url, auth_type: "oauth" } });
  expect(connection).toMatchObject({ state: "needs_sign_in", tools: [] });
  return connection.id;
}

/** Signs in at the server as a browser would; answers the path that its authorization server sends back to. */
async function agree(person: Person, id: string): Promise<string> {
  const { url } = await person.take(signInToMcp, { params: { id } });
  const agreed = await fetch(url, { redirect: "manual" });
  const back = new URL(agreed.headers.get("location") ?? "");
  return `${back.pathname}${back.search}`;
}

async function land(person: Person, path: string): Promise<string> {
  const response = await person.fetch(path);
  expect(response.status).toBe(303);
  return response.headers.get("location") ?? "";
}

async function stateOf(person: Person) {
  return (await person.take(listMcpConnections, {})).connections[0];
}

const isOpen = async (person: Person, id: string) => (await person.take(testMcpConnection, { body: { server_url, id } })).success;

it("signing in at a server leads to its authorization server with PKCE, resource and state, and back to its tools", async () => {
  const person = await signIn();
  const id = await connect(person);
  const { url } = await person.take(signInToMcp, { params: { id } });
  const asked = new URL(url).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    code_challenge_method: "S256",
    resource: server_url,
    scope: "vault",
    response_type: "code",
  });
  expect(asked.get("state")).toMatch(new RegExp(`^${id}\\.[\\w-]{43}$`));
  expect(await land(person, await agree(person, id))).toBe("/?settings=tools&mcp=connected");
  const connection = await stateOf(person);
  expect(connection).toMatchObject({ state: "ready", tools: [{ name: "open_vault" }], changes: null });
  const row = await env.DB.prepare("SELECT * FROM mcp_connections WHERE id = ?").bind(id).first();
  expect(JSON.stringify(row)).not.toMatch(/access_token|verifier/);
});

it("signing in at a server is finished once, by the session that began it, and by nobody else", async () => {
  const [person, other] = [await signIn(), await signIn()];
  const id = await connect(person);
  const path = await agree(person, id);
  const again = await signIn(visitor(), person.email);
  expect(await land(other, path)).toContain("mcp=expired");
  expect(await land(again, path)).toContain("mcp=expired");
  expect(await land(person, path.replace(/state=[^&]+/, `state=${id}.forged`))).toContain("mcp=expired");
  expect((await stateOf(person))?.state).toBe("needs_sign_in");
  expect(await land(person, path)).toContain("mcp=connected");
  expect(await land(person, path)).toContain("mcp=expired");
});

it("signing in at a server is refused where the server's words about itself do not fit together", async () => {
  const person = await signIn();
  const id = await connect(person);
  for (const fault of ["wrong-issuer", "wrong-resource", "no-pkce", "inward", "script", "long-address", "no-registration"]) {
    await notify({ fault });
    const answer = await person.call(signInToMcp, { params: { id } });
    expect({ fault, status: answer.status }).toEqual({ fault, status: 400 });
  }
  await notify({ fault: null });
  const path = await agree(person, id);
  expect(await land(person, path.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example"))).toContain("mcp=failed");
  expect((await stateOf(person))?.state).toBe("needs_sign_in");
});

it("signing in at a server says what is missing where a server does not know PKCE", async () => {
  const person = await signIn();
  const id = await connect(person);
  await notify({ fault: "no-pkce" });
  const answer = await person.call(signInToMcp, { params: { id } });
  expect(answer).toMatchObject({ ok: false, error: { error: expect.stringContaining("does not offer PKCE with S256") } });
});

it("signing in at a server takes no access token that is too long to be sent, neither at first nor renewed", async () => {
  const person = await signIn();
  const id = await connect(person);
  await notify({ fault: "long-token" });
  const stored = () => env.DB.prepare("SELECT credentials FROM mcp_connections WHERE id = ?").bind(id).first();
  const before = await stored();
  expect(await land(person, await agree(person, id))).toContain("mcp=failed");
  const refused = { state: "needs_sign_in", error: expect.stringContaining("more than 8,000 characters") };
  expect(await stateOf(person)).toMatchObject(refused);
  expect(await stored()).toEqual(before);
  await notify({ fault: null });
  expect(await land(person, await agree(person, id))).toContain("mcp=connected");
  await notify({ fault: "long-token", revoke: "access" });
  const connected = await stored();
  expect(await isOpen(person, id)).toBe(false);
  expect(await stateOf(person)).toMatchObject(refused);
  expect(await stored()).toEqual(connected);
});

it("signing in at a server asks for more once a call was refused for want of it, and keeps what was given", async () => {
  const person = await signIn();
  const id = await connect(person);
  await land(person, await agree(person, id));
  await notify({ fault: "narrow" });
  const tool = connectedToolId(id, "open_vault");
  await person.take(putToolSettings, { body: { settings: { [tool]: { always_allowed: true } } } });
  const call = async () => {
    const chatId = crypto.randomUUID();
    const content = `call ${tool} {}\nthen\nsay Done.`;
    const tool_categories = [connectionCategory(id)];
    const body = { id: crypto.randomUUID(), parent_id: null, content, model_id: CHEAP_MODEL, tool_categories };
    await person.take(sendMessage, { params: { id: chatId }, body });
    return until("the answer", async () => {
      const answer = (await person.take(listMessages, { params: { id: chatId } })).messages.at(-1);
      return answer?.status === "done" ? answer.tool_calls[0] : null;
    });
  };
  expect((await call())?.output).toContain("more rights");
  expect(await stateOf(person)).toMatchObject({ state: "needs_sign_in", error: expect.stringContaining("more rights") });
  // One that nobody came back from asks for it again.
  await person.take(signInToMcp, { params: { id } });
  const { url } = await person.take(signInToMcp, { params: { id } });
  expect(new URL(url).searchParams.get("scope")).toBe("vault gold");
  expect(await land(person, await agree(person, id))).toContain("mcp=connected");
  expect((await call())?.output).toContain("There is gold in it.");
});

it("signing in at a server waits for no request for ever", async () => {
  const person = await signIn();
  const id = await connect(person);
  const spy = vi.spyOn(globalThis, "fetch");
  try {
    await person.take(signInToMcp, { params: { id } });
    const { origin } = new URL(server_url);
    const asked = spy.mock.calls.filter(([url]) => url instanceof URL && url.origin === origin);
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter(([, init]) => !init?.signal)).toEqual([]);
  } finally {
    spy.mockRestore();
  }
});

it("signing in at a server says to servers of this deployment who it is", async () => {
  const document = await visitor().take(getMcpClient, {});
  expect(document.client_id).toBe("http://localhost/api/mcp-connections/client.json");
  expect(document.redirect_uris).toEqual(["http://localhost/api/mcp-connections/callback"]);
});

it("tokens of a server are renewed one at a time, before they end and when they are refused, and nobody is asked meanwhile", async () => {
  const person = await signIn();
  const id = await connect(person);
  await notify({ short: true });
  await land(person, await agree(person, id));
  // They end within the minute: each is renewed before it is used.
  const before = await notify({});
  expect(await isOpen(person, id)).toBe(true);
  expect(await notify({ short: false })).toBeGreaterThan(before);
  expect(await isOpen(person, id)).toBe(true);

  const renewed = await notify({ revoke: "access" });
  const hub = hubOf(env, person.user.id);
  const stale = await hub.accessToken({ kind: "mcp", connectionId: id }, null);
  const refused = stale.ok ? stale.value : "";
  const tokens = await Promise.all([1, 2, 3].map(() => hub.accessToken({ kind: "mcp", connectionId: id }, refused)));
  expect(new Set(tokens.map((token) => token.ok && token.value)).size).toBe(1);
  expect(await notify({})).toBe(renewed + 1);
  expect(await isOpen(person, id)).toBe(true);
  expect((await stateOf(person))?.state).toBe("ready");
});

it("tokens of a server that cannot be renewed ask for a sign-in; a server that is ill does not", async () => {
  const person = await signIn();
  const id = await connect(person);
  await land(person, await agree(person, id));
  await notify({ revoke: "access", fault: "token-500" });
  expect(await isOpen(person, id)).toBe(false);
  expect((await stateOf(person))?.state).toBe("failing");
  await notify({ fault: null });
  expect(await isOpen(person, id)).toBe(true);
  await notify({ revoke: "all" });
  expect(await isOpen(person, id)).toBe(false);
  expect(await stateOf(person)).toMatchObject({ state: "needs_sign_in", error: expect.stringContaining("Sign in again") });
  await land(person, await agree(person, id));
  expect((await stateOf(person))?.state).toBe("ready");
});

it("tokens of a server of a client that the server has forgotten lead to a new one, and everything else stays", async () => {
  const person = await signIn();
  const id = await connect(person);
  const clientOf = (url: string) => new URL(url).searchParams.get("client_id");
  const signInUrl = async () => (await person.take(signInToMcp, { params: { id } })).url;
  const first = clientOf(await signInUrl());
  await land(person, await agree(person, id));
  await notify({ revoke: "access", forget: true });
  expect(await isOpen(person, id)).toBe(false);
  expect(await stateOf(person)).toMatchObject({ state: "needs_sign_in", error: expect.stringContaining("does not know this client") });
  await land(person, await agree(person, id));
  expect(await stateOf(person)).toMatchObject({ state: "ready", tools: [{ name: "open_vault" }], changes: null });
  expect(await isOpen(person, id)).toBe(true);

  // Its page of consent turns an unknown client away, and nobody is sent back.
  await notify({ revoke: "all", forget: true });
  const turnedAway = await signInUrl();
  expect(clientOf(turnedAway)).not.toBe(first);
  expect((await fetch(turnedAway, { redirect: "manual" })).status).toBe(400);
  await land(person, await agree(person, id));
  expect((await stateOf(person))?.state).toBe("ready");
});

describe("a server that registers nobody", () => {
  const guild = `${env.MCP_SIMULATOR}/guild/mcp`;
  const asked = { name: "Guild", server_url: guild, auth_type: "oauth" as const };
  const secrets = ["basic secret", "post secret"];
  const isReachable = async (person: Person, id: string) =>
    (await person.take(testMcpConnection, { body: { server_url: guild, id } })).success;

  it("a server that registers nobody asks for a client of one's own, and takes it in whichever way it proves itself; its secret is nowhere to be read", async () => {
    const logged: string[] = [];
    const spies = (["error", "warn", "log", "info"] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => void logged.push(parts.map(String).join(" "))),
    );
    const person = await signIn();
    const { connection } = await person.take(createMcpConnection, { body: asked });
    const params = { id: connection.id };
    expect(connection).toMatchObject({ client_id: null, has_client_secret: false });
    expect(await person.call(signInToMcp, { params })).toMatchObject({
      ok: false,
      status: 400,
      error: { code: "MCP_CLIENT_REQUIRED", error: expect.stringContaining("registers no apps by itself") },
    });
    const clients = [
      { client_id: "guild-public", client_secret: null },
      { client_id: "guild-basic", client_secret: "basic secret" },
      { client_id: "guild-post", client_secret: "post secret" },
    ];
    for (const client of clients) {
      await notify({ member: client.client_id }, "guild");
      const changed = (await person.take(updateMcpConnection, { params, body: client })).connection;
      const has_client_secret = client.client_secret !== null;
      expect(changed).toMatchObject({ state: "needs_sign_in", client_id: client.client_id, has_client_secret });
      expect(await land(person, await agree(person, connection.id))).toBe("/?settings=tools&mcp=connected");
      expect(await stateOf(person)).toMatchObject({ state: "ready", tools: [{ name: "open_vault" }] });
      const before = await notify({ revoke: "access" }, "guild");
      expect(await isReachable(person, connection.id)).toBe(true);
      expect(await notify({}, "guild")).toBe(before + 1);
    }
    const row = await env.DB.prepare("SELECT * FROM mcp_connections WHERE id = ?").bind(connection.id).first();
    const shown = JSON.stringify([row, await stateOf(person), logged]);
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
    for (const spy of spies) spy.mockRestore();
  });

  it("a server that registers nobody keeps a client through other changes, and forgets it with its id, its server, its kind and its connection", async () => {
    const person = await signIn();
    await notify({ member: "guild-basic" }, "guild");
    const client = { client_id: "guild-basic", client_secret: "basic secret" };
    const { connection } = await person.take(createMcpConnection, { body: { ...asked, ...client } });
    const params = { id: connection.id };
    const change = async (body: Record<string, unknown>) => (await person.take(updateMcpConnection, { params, body })).connection;
    expect(connection).toMatchObject({ client_id: "guild-basic", has_client_secret: true });
    await land(person, await agree(person, connection.id));
    expect(await change({ ...asked, name: "Guild hall", client_id: "guild-basic" })).toMatchObject({
      state: "ready",
      has_client_secret: true,
    });

    // One that is refused says so, and is asked for no more than what is wrong with it.
    expect(await change({ client_secret: "another" })).toMatchObject({ state: "needs_sign_in", client_id: "guild-basic" });
    expect(await land(person, await agree(person, connection.id))).toContain("mcp=failed");
    const refused = await stateOf(person);
    expect(refused).toMatchObject({ state: "needs_sign_in", client_id: "guild-basic", error: expect.stringContaining("does not accept") });
    expect(await change(client)).toMatchObject({ state: "needs_sign_in", error: null });
    await land(person, await agree(person, connection.id));
    expect((await stateOf(person))?.state).toBe("ready");

    // What was under way for another client comes too late.
    const before = await selectConnection(openDatabase(env.DB), person.user.id, connection.id);
    if (!before) throw new Error("There is no connection.");
    expect(await change({ client_id: "guild-public" })).toMatchObject({ client_id: "guild-public", has_client_secret: false });
    expect(await storeOAuthState({ env, db: openDatabase(env.DB) }, before, { expiresAt: 1 })).toBeUndefined();
    const secretAlone = { client_id: null, client_secret: "basic secret" };
    expect(await person.call(updateMcpConnection, { params, body: secretAlone })).toMatchObject({
      ok: false,
      status: 400,
      error: { error: "A client secret needs its client ID." },
    });
    expect(await change({ client_id: null })).toMatchObject({ client_id: null, has_client_secret: false });
    const elsewhere = new URL(guild);
    elsewhere.hostname = "localhost";
    await change(client);
    expect(await change({ server_url: elsewhere.href })).toMatchObject({ client_id: null, has_client_secret: false });
    await change(client);
    await change({ auth_type: "none" });
    expect(await change({ auth_type: "oauth" })).toMatchObject({ client_id: null, has_client_secret: false });
    await change(client);
    await person.take(deleteMcpConnection, { params });
    expect(await env.DB.prepare("SELECT id FROM mcp_connections WHERE id = ?").bind(connection.id).first()).toBeNull();
  });

  it("a server that registers nobody gets a client's secret at its own authorization server alone", async () => {
    const person = await signIn();
    await notify({ member: "guild-basic" }, "guild");
    const client = { client_id: "guild-basic", client_secret: "basic secret" };
    const { connection } = await person.take(createMcpConnection, { body: { ...asked, ...client } });
    await land(person, await agree(person, connection.id));
    await notify({ fault: "other-issuer" }, "guild");
    try {
      const answer = await person.call(signInToMcp, { params: { id: connection.id } });
      expect(answer).toMatchObject({ ok: false, status: 400, error: { error: expect.stringContaining("not trustworthy") } });
    } finally {
      await notify({ fault: null }, "guild");
    }
    expect((await person.take(signInToMcp, { params: { id: connection.id } })).url).toContain("client_id=guild-basic");
  });
});
