import { GoogleError } from "#worker/platform/clients/google.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { askWithRetry } from "#worker/platform/durable-objects.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";
import { endsSoon } from "./ends-soon.ts";
import { ENDED } from "./find-token.ts";
import { selectConnection, updateAsRead } from "./queries.ts";
import { coversNeed, type GoogleNeed } from "./scopes.ts";
import { openTokens } from "./tokens.ts";

/** What opens a person's Google account, and its address. */
export type GoogleAccess = { token: string; email: string };

/**
 * What opens a person's Google account for such a call, renewed where it ends within a minute or is the `refused` one; undefined where
 * nothing is connected, the grant is over, or the scope was not granted. Throws `GoogleError` of kind `unreachable`.
 */
export async function googleAccess(
  env: Env,
  userId: string,
  need: GoogleNeed,
  refused: string | null = null,
): Promise<GoogleAccess | undefined> {
  const isOn = configOf(env).google.features.includes(need === "drive" ? "drive" : "gmail");
  const row = isOn ? await selectConnection(openDatabase(env.DB), userId) : undefined;
  if (!row || row.error !== null || !coversNeed(row.scopes, need)) return undefined;
  const openedTokens = refused === null && !endsSoon(row) ? await openTokens(env, row) : null;
  if (openedTokens) return { token: openedTokens.access, email: row.email };
  // The person's hub alone renews it: Google keeps few tokens of one grant.
  const answer = await askWithRetry(async () => hubOf(env, userId).accessToken({ kind: "google" }, refused));
  if (answer.ok) {
    // It may be that of another account by now, or of one that granted less.
    const now = await selectConnection(openDatabase(env.DB), userId);
    return now && coversNeed(now.scopes, need) ? { token: answer.value, email: now.email } : undefined;
  }
  if (answer.code === "INTERNAL") throw new GoogleError("unreachable", answer.message ?? "Google did not answer.");
  return undefined;
}

/** True where a person is connected, though the grant may be over. */
export async function isConnected(env: Env, userId: string): Promise<boolean> {
  return (await selectConnection(openDatabase(env.DB), userId)) !== undefined;
}

/** Notes that Google refused even a renewed token: the grant is over until its person connects again. */
export async function noteGoogleRefusal(env: Env, userId: string, token: string): Promise<void> {
  const db = openDatabase(env.DB);
  const row = await selectConnection(db, userId);
  const openedTokens = row && (await openTokens(env, row));
  // Whoever connected anew meanwhile has another one.
  if (!row || openedTokens?.access !== token) return;
  if (await updateAsRead(db, row, { error: ENDED })) await noteContentChange(env, userId, "tools");
}
