import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { replaceSealed, type SealedPlace, selectSealedOtherwise } from "./queries.ts";
import { openCredential, sealCredential } from "./sealed.ts";

/** Where credentials are kept for long; a sign-in under way is over in minutes. */
const PLACES: readonly SealedPlace[] = [
  { table: "google_connections", id: "user_id", column: "tokens", providerOf: () => "google" },
  { table: "codegen_connections", id: "user_id", column: "token", providerOf: () => "codegen" },
  { table: "mcp_connections", id: "id", column: "credentials", providerOf: (id) => `mcp:${id}` },
  { table: "mcp_connections", id: "id", column: "client", providerOf: (id) => `mcp-client:${id}` },
];

const PAGE = 100;

/** A place by its number, and the id there after which to go on. */
const Place = z.object({ place: z.number(), after: z.string() });

/**
 * Seals with the newest key a page of what an older one sealed, so that the older can be taken away: nothing is looked for while there is one
 * key alone. What no key opens any more stays as it is. Answers where to go on, null at the end.
 */
export async function sealAnew(env: Env, at: string): Promise<string | null> {
  const [newest, ...older] = configOf(env).credentialKeys;
  const { place: number, after } = at === "" ? { place: 0, after: "" } : Place.parse(JSON.parse(at));
  const place = PLACES[number];
  if (!newest || older.length === 0 || !place) return null;
  const db = openDatabase(env.DB);
  const rows = await selectSealedOtherwise(db, place, { keyId: newest.id, after, limit: PAGE });
  for (const row of rows) {
    const owner = { userId: row.user_id, provider: place.providerOf(row.id) };
    const secret = await openCredential(env, owner, row.sealed);
    if (secret !== null) await replaceSealed(db, place, row, await sealCredential(env, owner, secret));
  }
  const last = rows.length < PAGE ? undefined : rows.at(-1);
  return JSON.stringify(last ? { place: number, after: last.id } : { place: number + 1, after: "" });
}
