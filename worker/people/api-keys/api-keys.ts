import { base64url } from "jose";
import type { ApiKey, ApiScope } from "#shared/entities/library/api-key.ts";
import { API_KEYS_MAX } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { signingKey } from "#worker/people/signing-keys/keys.ts";
import { sha256 } from "#worker/platform/random.ts";
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { fromMicros, toMicros } from "#worker/platform/spending/money.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { type ApiKeyRow, insertKey, selectKey, selectKeyByHash, selectKeys, touchKey, updateKeyRow } from "./queries.ts";

/** What a secret begins with, so a leaked one is known for what it is. */
const PREFIX = "plg_";
const SECRET = /^plg_[\w-]{43}$/;
const HINT_LENGTH = 4;
/** A key's last use is noted once a minute. */
const TOUCH_AFTER_MS = 60_000;
/** How long the request that made a key gets its secret again. */
const REPEAT_MS = 10 * 60_000;

type NewKey = { id: string; name: string; scopes: ApiScope[]; budget: number | null };

/** A user's keys, each with what it spent this month. */
export async function listKeys(env: Env, db: Database, userId: string): Promise<ApiKey[]> {
  const rows = await selectKeys(db, userId);
  const spent: Record<string, number> = rows.length === 0 ? {} : await hubOf(env, userId).spentBy("key");
  return rows.map((row) => toKey(row, spent[row.id] ?? 0));
}

/**
 * Makes a key. The same request again, as its answer may have been lost, answers the same until the key is used, for ten minutes;
 * after that `secret` is null. Throws CONFLICT for another's id and API_KEYS_FULL.
 */
export async function createKey(
  env: Env,
  db: Database,
  { caller, id, name, scopes, budget }: NewKey & { caller: Caller },
): Promise<{ key: ApiKey; secret: string | null; isNew: boolean }> {
  const secret = await secretFor(env, caller.userId, id);
  const row: ApiKeyRow = {
    id,
    user_id: caller.userId,
    name,
    hash: await sha256(secret),
    hint: secret.slice(-HINT_LENGTH),
    scopes,
    budget_micros: budget === null ? null : toMicros(budget),
    created_at: new Date().toISOString(),
    last_used_at: null,
    revoked_at: null,
  };
  if (await insertKey(db, row, API_KEYS_MAX)) return { key: toKey(row, 0), secret, isNew: true };
  const known = await selectKey(db, caller.userId, id);
  if (known) {
    const isFresh = known.last_used_at === null && Date.now() - Date.parse(known.created_at) < REPEAT_MS;
    return { key: await describeKey(env, known), secret: isFresh && known.hash === row.hash ? secret : null, isNew: false };
  }
  if ((await selectKeys(db, caller.userId)).length >= API_KEYS_MAX) throw new AppError("API_KEYS_FULL");
  throw new AppError("CONFLICT");
}

/** Changes a key. Throws NOT_FOUND. */
export async function updateKey(
  env: Env,
  db: Database,
  {
    caller,
    id,
    name,
    scopes,
    budget,
  }: { caller: Caller; id: string } & { [Field in keyof Omit<NewKey, "id">]?: NewKey[Field] | undefined },
): Promise<ApiKey> {
  const changes = {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes }),
    ...(budget !== undefined && { budget_micros: budget === null ? null : toMicros(budget) }),
  };
  if (Object.keys(changes).length > 0) await updateKeyRow(db, { userId: caller.userId, id }, changes);
  const row = await selectKey(db, caller.userId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return describeKey(env, row);
}

/** Who asks with a key: its caller, and what it may do. */
export type KeyHolder = { caller: Caller; keyId: string; scopes: readonly ApiScope[] };

/** The holder of a secret, whose use is noted; null where no key has it. Throws ACCOUNT_BLOCKED. */
export async function findHolder(db: Database, secret: string): Promise<KeyHolder | null> {
  if (!SECRET.test(secret)) return null;
  const found = await selectKeyByHash(db, await sha256(secret));
  if (!found) return null;
  const { key, user } = found;
  if (user.blocked_at !== null) throw new AppError("ACCOUNT_BLOCKED");
  const now = Date.now();
  const at = new Date(now).toISOString();
  const before = new Date(now - TOUCH_AFTER_MS).toISOString();
  if ((key.last_used_at ?? "") < before) await touchKey(db, key.id, { at, before });
  const caller = { ...toCaller(sessionOf(key.id), user), key: { id: key.id, scopes: key.scopes, budgetMicros: key.budget_micros } };
  return { caller, keyId: key.id, scopes: key.scopes };
}

/** What rooms know a key's streams by, as they know a browser's by its session. */
export function sessionOf(keyId: string): string {
  return `key:${keyId}`;
}

/** 256 bits that look random, the same for the same id: a repeated request needs no secret kept for it. */
async function secretFor(env: Env, userId: string, id: string): Promise<string> {
  const key = await signingKey(configOf(env), "api-key");
  const bytes = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${userId}|${id}`));
  return `${PREFIX}${base64url.encode(new Uint8Array(bytes))}`;
}

async function describeKey(env: Env, row: ApiKeyRow): Promise<ApiKey> {
  const spent = await hubOf(env, row.user_id).spentBy("key");
  return toKey(row, spent[row.id] ?? 0);
}

function toKey({ id, name, hint, scopes, budget_micros, created_at, last_used_at }: ApiKeyRow, spentMicros: number): ApiKey {
  const budget = budget_micros === null ? null : fromMicros(budget_micros);
  return { id, name, hint, scopes, budget, spent: fromMicros(spentMicros), created_at, last_used_at };
}
