/**
 * The token that the Picker's page holds. A page with third-party scripts is no place for what opens somebody's mail: it reads Drive and nothing
 * else, lasts an hour, cannot be renewed, and lies in a row of its own.
 */
import { openCredential, sealCredential } from "#worker/platform/credentials/sealed.ts";
import type { PickerGrant } from "#worker/platform/clients/google/grant.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { endsSoon } from "./ends-soon.ts";
import { selectConnection, selectPickerToken, upsertPickerToken } from "./queries.ts";
import { coversExactly } from "./scopes.ts";

type Place = { env: Env; db: Database; userId: string };

/** The token that a person picks files with; null where Google has to be asked for one. */
export async function findPickerToken({ env, db, userId }: Place): Promise<string | null> {
  const row = await selectPickerToken(db, userId);
  return row && !endsSoon(row) ? openCredential(env, ownerOf(userId), row.token) : null;
}

/** Why what Google granted is not kept. */
export type PickerRefusal = "failed" | "other_account";

/** Keeps what a person granted for picking, where it is their connected account's and opens its Drive alone; null where it is kept. */
export async function storePickerToken({ env, db, userId }: Place, granted: PickerGrant): Promise<PickerRefusal | null> {
  const connection = await selectConnection(db, userId);
  if (connection?.subject !== granted.subject) return "other_account";
  if (!coversExactly(granted.scopes.join(" "), "drive")) return "failed";
  const token = await sealCredential(env, ownerOf(userId), granted.accessToken);
  await upsertPickerToken(db, { user_id: userId, token, expires_at: new Date(granted.expiresAt).toISOString() });
  return null;
}

function ownerOf(userId: string) {
  return { userId, provider: "google-picker" };
}
