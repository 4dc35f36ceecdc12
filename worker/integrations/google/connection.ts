import type { GoogleConnection } from "#shared/entities/outbound/google-connection.ts";
import type { CategoryState } from "#shared/entities/tool-category.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { GoogleError, type GoogleProfile } from "#worker/platform/clients/google.ts";
import { type Grant, revokeGrant } from "#worker/platform/clients/google/grant.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { endsSoon } from "./ends-soon.ts";
import { deleteAsRead, deletePickerToken, type GoogleRow, isConnected, selectConnection, upsertConnection } from "./queries.ts";
import { coversNeed, coversAny, type GoogleNeed, missingAmong } from "./scopes.ts";
import { openTokens, sealTokens } from "./tokens.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

type Forget = (place: { env: Env; userId: string }) => Promise<void>;

const drive = loadOnce(() => import("#worker/integrations/google/drive/forget-drive.ts"));

/** Each feature that keeps something it got by the connection stands here once, and removes it; it may be asked again. */
const ON_DISCONNECT: readonly Forget[] = [async (place) => (await drive()).forgetDrive(place)];

type Place = { env: Env; db: Database; userId: string };

/** How a person's Google account is connected; a grant that ended while nobody used it is found out here. */
export async function connectionStatus({ env, db, userId }: Place): Promise<GoogleConnection> {
  const before = await selectConnection(db, userId);
  if (before?.error === null && endsSoon(before)) await hubOf(env, userId).accessToken({ kind: "google" }, null);
  const row = await selectConnection(db, userId);
  const { features } = configOf(env).google;
  if (!row) return { connected: false, email: null, scopes: [], error: null, missing: [...features] };
  const { email, scopes, error } = row;
  return { connected: error === null, email, scopes: scopes.split(" "), error, missing: missingAmong(features, scopes) };
}

/** How the category of Gmail stands with a person: it is theirs while a grant holds. */
export async function gmailState(db: Database, userId: string): Promise<CategoryState> {
  return (await holdsGrant(db, userId, ["gmail", "compose"])) ? "ready" : "unconnected";
}

/** True while a person's grant does for one of these. */
export async function holdsGrant(db: Database, userId: string, needs: readonly GoogleNeed[]): Promise<boolean> {
  const row = await selectConnection(db, userId);
  return row?.error === null && needs.some((need) => coversNeed(row.scopes, need));
}

/** The address of a person's connection, whether its grant holds or not. */
export async function knownEmail(db: Database, userId: string): Promise<string | null> {
  return (await selectConnection(db, userId))?.email ?? null;
}

/** Keeps what a person granted; false where it is of no use here. What came by another account's grant goes with that. */
export async function storeGrant(place: Place, { grant, profile }: { grant: Grant; profile: GoogleProfile }): Promise<boolean> {
  const { env, db, userId } = place;
  const before = await selectConnection(db, userId);
  const isSame = before?.subject === profile.subject;
  const openedTokens = isSame ? await openTokens(env, before) : null;
  const refresh = grant.refreshToken ?? openedTokens?.refresh;
  const scopes = grant.scopes.join(" ");
  if (refresh === undefined || !coversAny(scopes)) {
    // What is of no use here is not left granted; it is one grant with that of whoever has connected the same account.
    if (!(await isConnected(db, profile.subject))) await tryRevoking(env, grant.refreshToken ?? grant.accessToken);
    return false;
  }
  if (before && !isSame) await giveUp(place, before, { isBestEffort: true });
  // Another grant may have taken the place of the one that it came by.
  await deletePickerToken(db, userId);
  await upsertConnection(db, {
    user_id: userId,
    subject: profile.subject,
    email: profile.email,
    scopes,
    tokens: await sealTokens(env, userId, { access: grant.accessToken, refresh }),
    expires_at: new Date(grant.expiresAt).toISOString(),
    error: null,
    connected_at: new Date().toISOString(),
  });
  return true;
}

/** Gives a person's grant back and forgets all that came by it; that there was none changes nothing. Throws GOOGLE_UNREACHABLE. */
export async function disconnect(place: Place): Promise<void> {
  const row = await selectConnection(place.db, place.userId);
  if (row) await giveUp(place, row, { isBestEffort: false });
}

/**
 * The same for an account that is deleted: a Google that cannot be reached, or does not answer, holds nothing up. All that came by the
 * connection is forgotten here, its tokens with it; the grant then stays at Google, where its person can remove it, and the log says so.
 */
export async function disconnectWithoutRevoking(place: Place): Promise<void> {
  const row = await selectConnection(place.db, place.userId);
  if (row) await giveUp(place, row, { isBestEffort: true });
}

async function giveUp({ env, db, userId }: Place, row: GoogleRow, { isBestEffort }: { isBestEffort: boolean }): Promise<void> {
  const tokens = await openTokens(env, row);
  if (tokens && isBestEffort) await tryRevoking(env, tokens.refresh);
  else if (tokens) await revoke(env, tokens.refresh);
  // At Google it is part of the grant that was given back.
  await deletePickerToken(db, userId);
  for (const forget of ON_DISCONNECT) await forget({ env, userId });
  await deleteAsRead(db, row);
}

async function revoke(env: Env, token: string): Promise<void> {
  try {
    await revokeGrant(env, token);
  } catch (cause) {
    throw cause instanceof GoogleError ? new AppError("GOOGLE_UNREACHABLE", { cause }) : cause;
  }
}

async function tryRevoking(env: Env, token: string): Promise<void> {
  try {
    await revokeGrant(env, token);
  } catch (cause) {
    if (!(cause instanceof GoogleError)) throw cause;
    log.warn("a grant that is given up was not revoked", { cause });
  }
}
