import * as z from "zod/mini";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { randomToken } from "#worker/platform/random.ts";
import { McpError } from "#worker/platform/clients/mcp/mcp-error.ts";
import {
  beginAuthorization,
  finishAuthorization,
  type OAuthMemory,
  parseMemory,
  withoutClient,
} from "#worker/platform/clients/mcp/oauth.ts";
import { openCredential, sealCredential } from "#worker/platform/credentials/sealed.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { countServer, findConnection } from "./connections.ts";
import { unsealClient, openCredentials, sealCredentials } from "./credentials.ts";
import { type ConnectionRow, selectConnection, consumeSignIn, updateAsRead } from "./queries.ts";
import { noteListing, refreshConnection } from "./refresh.ts";
import { oauthClientOf } from "./client-document.ts";

type Place = { env: Env; db: Database; userId: string; sessionId: string; origin: string };

/** A sign-in that nobody finished by then is over, in milliseconds. */
const LASTS_MS = 10 * 60_000;

/** A sign-in under way: of one session, and for one return. */
const SignIn = z.object({ state: z.string(), sessionId: z.string(), verifier: z.string(), until: z.number(), memory: z.unknown() });

/** The outcome of a return, for the settings. */
export type SignInOutcome = "connected" | "refused" | "failed" | "expired";

/** Begins signing in at a connection's server: the address that the browser goes to. Throws NOT_FOUND, INVALID_INPUT, RATE_LIMITED. */
export async function beginSignIn(place: Place, id: string): Promise<string> {
  const { env, db, sessionId, origin } = place;
  const row = await findConnection(place, id);
  if (row.auth_type !== "oauth") throw new AppError("INVALID_INPUT", { message: "This connection does not sign in." });
  await countServer(place);
  const state = `${id}.${randomToken()}`;
  const { oauth } = await openCredentials(env, row, row.credentials);
  const known = parseMemory(oauth);
  const registered = await unsealClient(env, row, row.client);
  // From a sign-in that nobody came back from the server may have turned them away, as it does not know the client: this one registers anew.
  const memory = row.sign_in === null || registered ? known : withoutClient(known);
  try {
    const asked = { env, serverUrl: row.server_url, own: oauthClientOf(origin), registered, memory };
    const { url, memory: begun, verifier } = await beginAuthorization(asked, state);
    const pending = JSON.stringify({ state, sessionId, verifier, until: Date.now() + LASTS_MS, memory: begun } satisfies z.infer<
      typeof SignIn
    >);
    await updateAsRead(db, row, { sign_in: await sealCredential(env, ownerOf(row), pending) });
    return url;
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    throw new AppError(error.kind === "client" ? "MCP_CLIENT_REQUIRED" : "INVALID_INPUT", { message: error.message, cause: error });
  }
}

type Returned = { code?: string | undefined; state?: string | undefined; iss?: string | undefined; error?: string | undefined };

/** Takes a browser back from an authorization server: only the session that began it finishes it, and once. */
export async function finishSignIn(place: Place, { code, state = "", iss, error }: Returned): Promise<SignInOutcome> {
  const { env, db, userId, sessionId, origin } = place;
  const id = state.split(".")[0] ?? "";
  const row = await selectConnection(db, userId, id);
  const begun = row && (await openSignIn(env, row));
  // Both are ours: the state's secrecy towards this browser does not matter, so neither does the comparison's time.
  if (!begun || begun.state !== state || begun.sessionId !== sessionId || begun.until < Date.now()) return "expired";
  if (!(await consumeSignIn(db, row))) return "expired";
  if (error !== undefined || code === undefined) return "refused";
  try {
    const registered = await unsealClient(env, row, row.client);
    const asked = { env, serverUrl: row.server_url, own: oauthClientOf(origin), registered, memory: parseMemory(begun.memory) };
    const memory = await finishAuthorization(asked, { verifier: begun.verifier, code, iss });
    const pending = await storeOAuthState({ env, db }, row, memory);
    if (!pending) return "expired";
    await refreshConnection(env, db, pending, { agrees: pending.fresh_until === null });
    return "connected";
  } catch (cause) {
    if (!(cause instanceof McpError)) throw cause;
    // This is a page's navigation: whoever comes back must land on a page that says what happened.
    log.warn("signing in to an MCP server failed", { cause });
    const current = cause.kind === "forgotten" ? await storeOAuthState({ env, db }, row, withoutClient(parseMemory(begun.memory))) : row;
    if (current) await updateAsRead(db, current, { state: "needs_sign_in", error: cause.message });
    return "failed";
  }
}

/** Stores what a connection's client remembers from now on; undefined where the connection became another one meanwhile. */
export async function storeOAuthState(
  { env, db }: Pick<Place, "env" | "db">,
  row: ConnectionRow,
  memory: OAuthMemory,
): Promise<ConnectionRow | undefined> {
  const credentials = await sealCredentials(env, row, { oauth: { ...memory } });
  return updateAsRead(db, row, { credentials, state: "ready", error: null });
}

/** Notes that a server refused a call with what it was given: the next sign-in asks for what it wants. */
export async function noteWantedScope(
  { env, db }: Pick<Place, "env" | "db">,
  row: ConnectionRow,
  { scope, message }: McpError,
): Promise<void> {
  if (scope === undefined || row.auth_type !== "oauth") return;
  const { oauth } = await openCredentials(env, row, row.credentials);
  const credentials = await sealCredentials(env, row, { oauth: { ...parseMemory(oauth), wanted: scope } });
  await noteListing(env, db, row, { credentials, state: "needs_sign_in", error: message });
}

async function openSignIn(env: Env, row: ConnectionRow): Promise<z.infer<typeof SignIn> | null> {
  const opened = row.sign_in === null ? null : await openCredential(env, ownerOf(row), row.sign_in);
  return opened === null ? null : SignIn.parse(JSON.parse(opened));
}

function ownerOf({ id, user_id: userId }: ConnectionRow) {
  return { userId, provider: `mcp-sign-in:${id}` };
}
