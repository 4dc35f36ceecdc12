import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { GoogleError } from "#worker/platform/clients/google.ts";
import { renewGrant } from "#worker/platform/clients/google/grant.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { endsSoon } from "./ends-soon.ts";
import { type GoogleRow, selectConnection, updateAsRead } from "./queries.ts";
import { openTokens, sealTokens, type Tokens } from "./tokens.ts";

type Place = { env: Env; db: Database; userId: string };

/** What the settings say of a grant that is over, and of tokens that cannot be read. */
export const ENDED = "Google no longer accepts this connection. Connect again.";
const UNREADABLE = "The connection cannot be read any more. Connect again.";

/** A person's access token, renewed where it ends soon or is the `refused` one. Asked by one at a time. */
export async function findToken(place: Place, refused: string | null): Promise<Outcome<string>> {
  const row = await selectConnection(place.db, place.userId);
  if (!row || row.error !== null) return { ok: false, code: "SIGN_IN_REQUIRED" };
  const tokens = await openTokens(place.env, row);
  if (!tokens) return end(place, row, { error: UNREADABLE, refused });
  if (tokens.access !== refused && !endsSoon(row)) return { ok: true, value: tokens.access };
  return renew(place, row, { tokens, refused });
}

async function renew(
  place: Place,
  row: GoogleRow,
  { tokens, refused }: { tokens: Tokens; refused: string | null },
): Promise<Outcome<string>> {
  const { env, db, userId } = place;
  const { client } = configOf(env).google;
  if (!client) return { ok: false, code: "SIGN_IN_REQUIRED" };
  try {
    const { accessToken, refreshToken, scopes, expiresAt } = await renewGrant(env, client, {
      refreshToken: tokens.refresh,
      scopes: row.scopes.split(" "),
    });
    const sealed = await sealTokens(env, userId, { access: accessToken, refresh: refreshToken ?? tokens.refresh });
    const change = { tokens: sealed, scopes: scopes.join(" "), expires_at: new Date(expiresAt).toISOString() };
    // Whoever disconnected or connected anew meanwhile has the last word.
    return (await updateAsRead(db, row, change)) ? { ok: true, value: accessToken } : await findNewer(place, refused);
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error;
    if (error.kind === "ended") return end(place, row, { error: ENDED, refused });
    // Until it ends it is still good, and the next one to ask tries again.
    if (tokens.access !== refused && Date.parse(row.expires_at) > Date.now()) return { ok: true, value: tokens.access };
    return { ok: false, code: "INTERNAL", message: "Google cannot be reached right now." };
  }
}

async function end(place: Place, row: GoogleRow, { error, refused }: { error: string; refused: string | null }): Promise<Outcome<string>> {
  if (!(await updateAsRead(place.db, row, { error }))) return findNewer(place, refused);
  return { ok: false, code: "SIGN_IN_REQUIRED", message: error };
}

/** The token of the connection that took another's place while that was being renewed, where it holds. */
async function findNewer({ env, db, userId }: Place, refused: string | null): Promise<Outcome<string>> {
  const row = await selectConnection(db, userId);
  const tokens = row?.error === null && !endsSoon(row) ? await openTokens(env, row) : null;
  return tokens && tokens.access !== refused ? { ok: true, value: tokens.access } : { ok: false, code: "NOT_FOUND" };
}
