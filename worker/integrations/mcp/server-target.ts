import type { McpAuth } from "#shared/entities/library/mcp-connection.ts";
import { McpError } from "#worker/platform/clients/mcp/mcp-error.ts";
import type { McpTarget } from "#worker/platform/clients/mcp/session.ts";
import type { Env } from "#worker/platform/env.ts";
import { askWithRetry } from "#worker/platform/durable-objects.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { type Credentials, openCredentials } from "./credentials.ts";
import type { ConnectionRow } from "./queries.ts";

/** Where a connection's server is and how requests say who asks; its credentials go there and nowhere else. */
export async function serverTarget(
  env: Env,
  row: Pick<ConnectionRow, "id" | "user_id" | "server_url" | "auth_type" | "credentials">,
): Promise<McpTarget> {
  if (row.auth_type === "oauth") {
    return { url: row.server_url, headers: {}, token: (refused) => accessToken(env, row, refused) };
  }
  return plainTarget(row.server_url, row.auth_type, await openCredentials(env, row, row.credentials));
}

/** A server with credentials that never have to be renewed. */
export function plainTarget(url: string, auth: McpAuth, { token, headers = {} }: Credentials): McpTarget {
  if (auth === "bearer" && token !== undefined) return { url, headers: { authorization: `Bearer ${token}` }, token: null };
  return { url, headers: auth === "headers" ? headers : {}, token: null };
}

/** The access token of now. The user's hub alone renews it: two at a time would end the connection. */
async function accessToken(
  env: Env,
  { id, user_id: userId }: Pick<ConnectionRow, "id" | "user_id">,
  refused: string | null,
): Promise<string> {
  const answer = await askWithRetry(async () => hubOf(env, userId).accessToken({ kind: "mcp", connectionId: id }, refused));
  if (answer.ok) return answer.value;
  throw new McpError(
    answer.code === "SIGN_IN_REQUIRED" ? "sign_in" : "unreachable",
    answer.message ?? "The server requires authorization.",
  );
}
