import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import {
  createMcpConnection,
  getMcpClient,
  listMcpConnections,
  signInToMcp,
  testMcpConnection,
} from "#shared/contracts/library/mcp-connections.ts";
import { type Person, signIn, visitor } from "#test/support/worker.ts";
import { hubOf } from "#worker/user-hub/stub.ts";

const server_url = `${env.MCP_SIMULATOR}/vault/mcp`;

async function notify(change: { fault?: string | null; short?: boolean; revoke?: "access" | "all"; forget?: boolean }): Promise<number> {
  const response = await fetch(`${env.MCP_SIMULATOR}/control/vault`, {
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

describe("signing in at a server", () => {
  it("leads to its authorization server with PKCE, resource and state, and back to its tools", async () => {
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

  it("is finished once, by the session that began it, and by nobody else", async () => {
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

  it("is refused where the server's words about itself do not fit together", async () => {
    const person = await signIn();
    const id = await connect(person);
    for (const fault of ["wrong-issuer", "wrong-resource", "no-pkce", "inward", "script", "no-registration"]) {
      await notify({ fault });
      const answer = await person.call(signInToMcp, { params: { id } });
      expect({ fault, status: answer.status }).toEqual({ fault, status: 400 });
    }
    await notify({ fault: null });
    const path = await agree(person, id);
    expect(await land(person, path.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example"))).toContain("mcp=failed");
    expect((await stateOf(person))?.state).toBe("needs_sign_in");
  });

  it("waits for no request for ever", async () => {
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

  it("says to servers of this deployment who it is", async () => {
    const document = await visitor().take(getMcpClient, {});
    expect(document.client_id).toBe("http://localhost/api/mcp-connections/client.json");
    expect(document.redirect_uris).toEqual(["http://localhost/api/mcp-connections/callback"]);
  });
});

describe("tokens of a server", () => {
  it("are renewed one at a time, before they end and when they are refused, and nobody is asked meanwhile", async () => {
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
    const held = await hub.accessToken({ kind: "mcp", connectionId: id }, null);
    const refused = held.ok ? held.value : "";
    const tokens = await Promise.all([1, 2, 3].map(() => hub.accessToken({ kind: "mcp", connectionId: id }, refused)));
    expect(new Set(tokens.map((token) => token.ok && token.value)).size).toBe(1);
    expect(await notify({})).toBe(renewed + 1);
    expect(await isOpen(person, id)).toBe(true);
    expect((await stateOf(person))?.state).toBe("ready");
  });

  it("that cannot be renewed ask for a sign-in; a server that is ill does not", async () => {
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

  it("of a client that the server has forgotten lead to a new one, and everything else stays", async () => {
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
});
