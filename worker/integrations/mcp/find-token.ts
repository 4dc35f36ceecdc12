import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { McpError } from "#worker/platform/clients/mcp/mcp-error.ts";
import { type OAuthMemory, parseMemory, renewTokens, withoutClient } from "#worker/platform/clients/mcp/oauth.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { unsealClient, openCredentials } from "./credentials.ts";
import { type ConnectionRow, selectConnection, updateAsRead } from "./queries.ts";
import { storeOAuthState } from "./sign-in.ts";

type Place = { env: Env; db: Database; userId: string };

/** A token is renewed so many milliseconds before it ends, and up to as many more: not everybody's in the same second. */
const EARLY_MS = 60_000;

/** A connection's access token, renewed where it ends soon or was refused. Asked by one at a time. */
export async function findToken(place: Place, id: string, refused: string | null): Promise<Outcome<string>> {
  const row = await selectConnection(place.db, place.userId, id);
  if (!row) return { ok: false, code: "NOT_FOUND" };
  const { oauth } = await openCredentials(place.env, row, row.credentials);
  const memory = parseMemory(oauth);
  const token = memory.tokens?.access_token;
  if (token === undefined) return over(place, row, REQUIRED);
  const isRefused = token === refused;
  if (!isRefused && !endsSoon(memory)) return { ok: true, value: token };
  if (!memory.tokens?.refresh_token) return isRefused ? over(place, row, REQUIRED) : { ok: true, value: token };
  return renew(place, row, { memory, isRefused });
}

async function renew(
  place: Place,
  row: ConnectionRow,
  { memory, isRefused }: { memory: OAuthMemory; isRefused: boolean },
): Promise<Outcome<string>> {
  try {
    const renewed = await renewTokens(place.env, memory, await unsealClient(place.env, row, row.client));
    if (!(await storeOAuthState(place, row, renewed))) return { ok: false, code: "NOT_FOUND" };
    return { ok: true, value: renewed.tokens?.access_token ?? "" };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    if (error.kind === "sign_in") return over(place, row, error.message);
    const left = (memory.expiresAt ?? 0) - Date.now();
    // Until it ends it is still good, and the next one to ask tries again.
    if (!isRefused && left > 0 && memory.tokens) return { ok: true, value: memory.tokens.access_token };
    if (error.kind === "forgotten") {
      return over(place, (await storeOAuthState(place, row, withoutClient(memory))) ?? row, error.message);
    }
    return { ok: false, code: "INTERNAL", message: error.message };
  }
}

function endsSoon({ expiresAt }: OAuthMemory): boolean {
  return expiresAt !== undefined && expiresAt - Date.now() < EARLY_MS * (1 + Math.random());
}

const REQUIRED = "The server requires authorization.";

async function over({ db }: Place, row: ConnectionRow, message: string): Promise<Outcome<string>> {
  await updateAsRead(db, row, { state: "needs_sign_in", error: message });
  return { ok: false, code: "SIGN_IN_REQUIRED", message };
}
