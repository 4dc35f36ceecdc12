import type { Outcome } from "../app-error.ts";
import { GoogleError } from "../clients/google.ts";
import { renewGrant } from "../clients/google/grant.ts";
import type { Database } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
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
  if (!tokens) return end(place, row, UNREADABLE);
  if (tokens.access !== refused && !endsSoon(row)) return { ok: true, value: tokens.access };
  return renew(place, row, { tokens, isRefused: tokens.access === refused });
}

async function renew(
  place: Place,
  row: GoogleRow,
  { tokens, isRefused }: { tokens: Tokens; isRefused: boolean },
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
    return (await updateAsRead(db, row, change)) ? { ok: true, value: accessToken } : { ok: false, code: "NOT_FOUND" };
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error;
    if (error.kind === "ended") return end(place, row, ENDED);
    // Until it ends it is still good, and the next one to ask tries again.
    if (!isRefused && Date.parse(row.expires_at) > Date.now()) return { ok: true, value: tokens.access };
    return { ok: false, code: "INTERNAL", message: "Google cannot be reached right now." };
  }
}

async function end({ db }: Place, row: GoogleRow, error: string): Promise<Outcome<string>> {
  await updateAsRead(db, row, { error });
  return { ok: false, code: "SIGN_IN_REQUIRED", message: error };
}
