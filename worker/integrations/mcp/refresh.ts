import { McpError } from "#worker/platform/clients/mcp/mcp-error.ts";
import { type McpTarget, openSession } from "#worker/platform/clients/mcp/session.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";
import { type ConnectionChange, type ConnectionRow, updateAsRead } from "./queries.ts";
import { parseTools, type ServedTool, toServedTools } from "./served-tool.ts";
import { serverTarget } from "./server-target.ts";

/** Connecting and listing together are given up after this many milliseconds. */
const LIST_MS = 15_000;
const MINUTE_MS = 60_000;
/** How long a list holds whose server says nothing about it, and what a server may say at least and at most. */
const USUAL_TTL_MS = 5 * MINUTE_MS;
const LEAST_TTL_MS = MINUTE_MS;
const MOST_TTL_MS = 24 * 60 * MINUTE_MS;

/** A server's tools as it names them now, and for how many milliseconds it says that they hold. */
export type Served = { tools: ServedTool[]; ttlMs: number | null };

/** Asks a server for its tools. Throws `McpError`. */
export async function listServer(env: Env, target: McpTarget): Promise<Served> {
  const signal = AbortSignal.timeout(LIST_MS);
  try {
    const session = await openSession(env, target, signal);
    try {
      const { tools, ttlMs } = await session.tools(signal);
      return { tools: toServedTools(tools), ttlMs };
    } finally {
      await session.close();
    }
  } catch (cause) {
    if (cause instanceof McpError) throw cause;
    throw new McpError("timeout", "The server did not answer in time.", cause);
  }
}

/** What a list changes of its connection: whatever was not agreed to waits for its person's word. */
export function afterListing(
  row: Pick<ConnectionRow, "tools">,
  { tools, ttlMs }: Served,
  { agrees }: { agrees: boolean },
): ConnectionChange {
  const now = Date.now();
  const served = JSON.stringify(tools);
  const isSame = sameTools(parseTools(row.tools), tools);
  return {
    state: "ready",
    error: null,
    checked_at: new Date(now).toISOString(),
    fresh_until: new Date(now + Math.min(Math.max(ttlMs ?? USUAL_TTL_MS, LEAST_TTL_MS), MOST_TTL_MS)).toISOString(),
    ...(agrees || isSame ? { tools: served, offers: null } : { offers: served }),
  };
}

/** What a failure changes of a connection: only where its person can sign in is it waited for them, all others are asked again. */
export function afterFailure({ auth_type: authType }: Pick<ConnectionRow, "auth_type">, error: McpError): ConnectionChange {
  return {
    state: error.kind === "sign_in" && authType === "oauth" ? "needs_sign_in" : "failing",
    error: error.message,
    checked_at: new Date().toISOString(),
  };
}

/** True where both lists hold the same tools, in whatever order. */
function sameTools(one: readonly ServedTool[], other: readonly ServedTool[]): boolean {
  const sorted = (list: readonly ServedTool[]) => list.map(fingerprint).toSorted().join("\n");
  return sorted(one) === sorted(other);
}

/** All of a tool that its person agreed to, as text that differs wherever the tool does. */
export function fingerprint({ name, title, description, schema, saysReadOnly }: ServedTool): string {
  return JSON.stringify([name, title, description, inOrder(schema), saysReadOnly]);
}

/** Servers may write an object's keys in another order each time. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, held]) => [key, inOrder(held)]);
}

/** Asks a connection's server for its tools and notes what came of it; `agrees` where its person just connected it. Answers the failure, if any. */
export async function refreshConnection(
  env: Env,
  db: Database,
  row: ConnectionRow,
  { agrees }: { agrees: boolean },
): Promise<{ row: ConnectionRow; error: McpError | null }> {
  const found = await listOrError(env, row);
  const change = found instanceof McpError ? afterFailure(row, found) : afterListing(row, found, { agrees });
  return { row: await noteListing(env, db, row, change), error: found instanceof McpError ? found : null };
}

/** Notes what a server's answer changed of its connection, and notifies the person's tabs where they show it. */
export async function noteListing(env: Env, db: Database, row: ConnectionRow, change: ConnectionChange): Promise<ConnectionRow> {
  const changed = (await updateAsRead(db, row, change)) ?? row;
  const hasChanged = changed.state !== row.state || changed.offers !== row.offers || changed.tools !== row.tools;
  if (hasChanged) await noteContentChange(env, row.user_id, "tools");
  return changed;
}

async function listOrError(env: Env, row: ConnectionRow): Promise<Served | McpError> {
  try {
    return await listServer(env, await serverTarget(env, row));
  } catch (error) {
    if (error instanceof McpError) return error;
    throw error;
  }
}
