import type { createMcpConnection, testMcpConnection, updateMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import type { McpAuth, McpChanges, McpConnection, McpTest, McpTool } from "#shared/entities/library/mcp-connection.ts";
import { MCP_CONNECTIONS_MAX } from "#shared/limits.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { sha256 } from "#worker/platform/random.ts";
import { checkAddress } from "#worker/platform/clients/mcp/guarded-fetch.ts";
import { McpError } from "#worker/platform/clients/mcp/mcp-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { stateOf } from "./categories.ts";
import { type Credentials, unsealClient, openCredentials, type RegisteredClient, sealClient, sealCredentials } from "./credentials.ts";
import {
  type ConnectionChange,
  type ConnectionRow,
  deleteConnection,
  deleteToolSettings,
  insertConnection,
  selectConnection,
  selectConnections,
  updateConnection,
} from "./queries.ts";
import { fingerprint, listServer, refreshConnection } from "./refresh.ts";
import { parseTools, type ServedTool } from "./served-tool.ts";
import { plainTarget, serverTarget } from "./server-target.ts";

/** `ownHost` is the host that was asked, whose zone no connection leads to. */
type Place = { env: Env; db: Database; userId: string; ownHost: string };

/** Servers that one person may have asked in an hour, by testing, making, changing or signing in to a connection. */
const SERVERS_PER_HOUR = 120;

/** Counts one server that a person has asked, or throws RATE_LIMITED. */
export function countServer({ env, userId }: Pick<Place, "env" | "userId">): Promise<void> {
  return countOrRefuse(env, `mcp-test:${userId}`, hourly(SERVERS_PER_HOUR), "RATE_LIMITED");
}

/** A user's connections, the oldest first. */
export async function readConnections({ env, db, userId }: Omit<Place, "ownHost">): Promise<McpConnection[]> {
  return Promise.all((await selectConnections(db, userId)).map((row) => toConnection(env, row)));
}

/** Connects a server and agrees to its tools. One that does not answer is kept as failing. Throws INVALID_INPUT, RATE_LIMITED. */
export async function addConnection(place: Place, body: BodyOf<typeof createMcpConnection>): Promise<McpConnection> {
  const { env, db, userId } = place;
  await countServer(place);
  await checkServer(place, body.server_url);
  const authType = body.auth_type ?? "none";
  const at = new Date().toISOString();
  const id = crypto.randomUUID();
  const row: ConnectionRow = {
    id,
    user_id: userId,
    name: body.name,
    description: body.description || null,
    server_url: body.server_url,
    enabled: body.enabled ?? true,
    trusted: body.trusted ?? false,
    auth_type: authType,
    state: authType === "oauth" ? "needs_sign_in" : "ready",
    error: null,
    fresh_until: null,
    checked_at: null,
    created_at: at,
    updated_at: at,
    credentials: await sealCredentials(env, { id, user_id: userId }, givenCredentials(authType, body, {})),
    sign_in: null,
    tools: "[]",
    offers: null,
    client: await sealClient(env, { id, user_id: userId }, givenClient(authType, body, null)),
  };
  if (!(await insertConnection(db, row))) {
    throw new AppError("INVALID_INPUT", { message: `You can have ${MCP_CONNECTIONS_MAX} connections. Delete one first.` });
  }
  if (authType === "oauth") return toConnection(env, row);
  return toConnection(env, (await refreshConnection(env, db, row, { agrees: true })).row);
}

/** Changes a connection. Another server, client or way to prove who asks is agreed to again. Throws NOT_FOUND, INVALID_INPUT, RATE_LIMITED. */
export async function changeConnection(place: Place, id: string, body: BodyOf<typeof updateMcpConnection>): Promise<McpConnection> {
  const { env, db, userId } = place;
  const row = await findConnection(place, id);
  const url = body.server_url ?? row.server_url;
  const authType = body.auth_type ?? row.auth_type;
  const isElsewhere = new URL(url).origin !== new URL(row.server_url).origin;
  const before = await unsealClient(env, row, row.client);
  const client = givenClient(authType, body, isElsewhere ? null : before);
  // A secret that is entered again begins anew, whatever it was.
  const isOtherClient = typeof body.client_secret === "string" || !isSameClient(before, client);
  const storedCredentials =
    isElsewhere || isOtherClient || authType !== row.auth_type ? {} : await openCredentials(env, row, row.credentials);
  const isOther =
    url !== row.server_url || authType !== row.auth_type || isOtherClient || body.token !== undefined || body.headers !== undefined;
  if (isOther) await countServer(place);
  if (url !== row.server_url) await checkServer(place, url);
  const change: ConnectionChange = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description || null }),
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(body.trusted !== undefined && { trusted: body.trusted }),
    // Whoever trusted the one server has not seen the other.
    ...(isElsewhere && { trusted: false }),
    ...((url !== row.server_url || authType !== row.auth_type || isOtherClient) && { sign_in: null }),
    ...(isOtherClient && { client: await sealClient(env, row, client) }),
    updated_at: new Date().toISOString(),
    ...(isOther && {
      server_url: url,
      auth_type: authType,
      credentials: await sealCredentials(env, row, givenCredentials(authType, body, storedCredentials)),
      ...(authType === "oauth" && { state: "needs_sign_in" as const, error: null }),
    }),
    ...(url !== row.server_url && { tools: "[]", offers: null, fresh_until: null, checked_at: null }),
  };
  const changed = await updateConnection(db, userId, id, change);
  if (!changed) throw new AppError("NOT_FOUND");
  if (isElsewhere) await deleteToolSettings(db, { userId, toolsBegin: `${connectionCategory(id)}_` });
  if (!isOther || authType === "oauth") return toConnection(env, changed);
  return toConnection(env, (await refreshConnection(env, db, changed, { agrees: url !== row.server_url })).row);
}

/** Removes a connection with its credentials. Throws NOT_FOUND. */
export async function removeConnection({ db, userId }: Place, id: string): Promise<void> {
  const isRemoved = await deleteConnection(db, { userId, id, toolsBegin: `${connectionCategory(id)}_` });
  if (!isRemoved) throw new AppError("NOT_FOUND");
}

/** Tries a server; what is kept of a connection goes to its own server alone. Throws NOT_FOUND, RATE_LIMITED. */
export async function testConnection(place: Place, body: BodyOf<typeof testMcpConnection>): Promise<McpTest> {
  const { env, db, ownHost } = place;
  await countServer(place);
  try {
    await checkAddress(env, new URL(body.server_url), ownHost);
    const existing = body.id === undefined ? null : await findConnection(place, body.id);
    const isUnchanged =
      existing !== null && existing.server_url === body.server_url && body.token === undefined && body.headers === undefined;
    if (isUnchanged && (body.auth_type === undefined || body.auth_type === existing.auth_type)) {
      const { row, error } = await refreshConnection(env, db, existing, { agrees: existing.fresh_until === null });
      if (error) throw error;
      return passed(parseTools(row.offers ?? row.tools));
    }
    const isOwnServer = existing !== null && new URL(existing.server_url).origin === new URL(body.server_url).origin;
    const authType = body.auth_type ?? existing?.auth_type ?? "none";
    if (isOwnServer && authType === "oauth" && existing.auth_type === "oauth") {
      return passed((await listServer(env, await serverTarget(env, { ...existing, server_url: body.server_url }))).tools);
    }
    const storedCredentials =
      isOwnServer && authType === existing.auth_type ? await openCredentials(env, existing, existing.credentials) : {};
    return passed(
      (await listServer(env, plainTarget(body.server_url, authType, givenCredentials(authType, body, storedCredentials, false)))).tools,
    );
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    return { success: false, tools_count: 0, tools: [], error: error.message, needs_sign_in: error.kind === "sign_in" };
  }
}

/** Agrees to a server's tools as they were shown. Throws NOT_FOUND, CONFLICT where they changed once more. */
export async function acceptTools(place: Place, id: string, seen: string): Promise<McpConnection> {
  const row = await findConnection(place, id);
  if (row.offers === null) return toConnection(place.env, row);
  if ((await sha256(row.offers)) !== seen) {
    throw new AppError("CONFLICT", { message: "The server's tools changed once more. Look at them again." });
  }
  const change = { tools: row.offers, offers: null, updated_at: new Date().toISOString() };
  const changed = await updateConnection(place.db, place.userId, id, change);
  if (!changed) throw new AppError("NOT_FOUND");
  return toConnection(place.env, changed);
}

/** A user's own connection. Throws NOT_FOUND. */
export async function findConnection({ db, userId }: Pick<Place, "db" | "userId">, id: string): Promise<ConnectionRow> {
  const row = await selectConnection(db, userId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

function passed(tools: readonly ServedTool[]): McpTest {
  return { success: true, tools_count: tools.length, tools: tools.map(toTool), error: null, needs_sign_in: false };
}

async function checkServer({ env, ownHost }: Place, given: string): Promise<void> {
  try {
    await checkAddress(env, new URL(given), ownHost);
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    // A name that cannot be looked up now may be there later: the connection stands as failing until then.
    if (error.kind === "address") throw new AppError("INVALID_INPUT", { message: error.message, cause: error });
  }
}

type Given = Pick<BodyOf<typeof testMcpConnection>, "token" | "headers">;

/** The credentials that hold for a kind after a change: what is not given of it stays. Throws INVALID_INPUT where there are none. */
function givenCredentials(authType: McpAuth, { token, headers }: Given, storedCredentials: Credentials, isNeeded = true): Credentials {
  if (authType === "bearer") {
    const existing = token ?? storedCredentials.token;
    if (existing === undefined && isNeeded) throw new AppError("INVALID_INPUT", { message: "A token is required." });
    return existing === undefined ? {} : { token: existing };
  }
  if (authType === "headers") {
    const existing = headers ?? storedCredentials.headers;
    if (existing === undefined && isNeeded) throw new AppError("INVALID_INPUT", { message: "A header is required." });
    return existing === undefined ? {} : { headers: existing };
  }
  return authType === "oauth" && storedCredentials.oauth ? { oauth: storedCredentials.oauth } : {};
}

type GivenClient = Pick<BodyOf<typeof createMcpConnection>, "client_id" | "client_secret">;

/** The client of its person's own that holds after a change: what is not given of it stays, and a secret goes with its id. Throws INVALID_INPUT. */
function givenClient(
  authType: McpAuth,
  { client_id: id, client_secret: secret }: GivenClient,
  storedCredentials: RegisteredClient | null,
): RegisteredClient | null {
  if (authType !== "oauth") return null;
  const client = id === undefined || id === storedCredentials?.client_id ? storedCredentials : id === null ? null : { client_id: id };
  if (client === null && typeof secret === "string")
    throw new AppError("INVALID_INPUT", { message: "A client secret needs its client ID." });
  if (client === null || secret === undefined) return client;
  return { client_id: client.client_id, ...(secret !== null && { client_secret: secret }) };
}

function isSameClient(one: RegisteredClient | null, other: RegisteredClient | null): boolean {
  return one?.client_id === other?.client_id && one?.client_secret === other?.client_secret;
}

export async function toConnection(env: Env, row: ConnectionRow): Promise<McpConnection> {
  const { headers = {} } = row.auth_type === "headers" ? await openCredentials(env, row, row.credentials) : {};
  const client = await unsealClient(env, row, row.client);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    server_url: row.server_url,
    enabled: row.enabled,
    created_at: row.created_at,
    auth_type: row.auth_type,
    header_names: Object.keys(headers),
    client_id: client?.client_id ?? null,
    has_client_secret: client?.client_secret !== undefined,
    trusted: row.trusted,
    state: stateOf(row),
    error: row.error,
    tools: parseTools(row.tools).map(toTool),
    changes: row.offers === null ? null : await changesOf(row.tools, row.offers),
  };
}

async function changesOf(agreed: string, offered: string): Promise<McpChanges> {
  const [before, after] = [parseTools(agreed), parseTools(offered)];
  const find = (list: readonly ServedTool[], name: string) => list.find((tool) => tool.name === name);
  return {
    added: after.filter(({ name }) => !find(before, name)).map(toTool),
    changed: after.flatMap((tool) => {
      const old = find(before, tool.name);
      return old && fingerprint(old) !== fingerprint(tool) ? [{ before: toTool(old), after: toTool(tool) }] : [];
    }),
    removed: before.filter(({ name }) => !find(after, name)).map(toTool),
    seen: await sha256(offered),
  };
}

function toTool({ name, description, saysReadOnly }: ServedTool): McpTool {
  return { name, description, says_read_only: saysReadOnly };
}
