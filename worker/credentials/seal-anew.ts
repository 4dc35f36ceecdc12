import { openDatabase } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
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
/** Of each place in one night; the rest has the next ones. */
const PAGES_A_NIGHT = 50;

/**
 * Seals with the newest key what an older one sealed, so that the older can be taken away: nothing is looked for while there is one key
 * alone. What no key opens any more stays as it is.
 */
export async function sealAnew(env: Env): Promise<void> {
  const [newest, ...older] = configOf(env).credentialKeys;
  if (!newest || older.length === 0) return;
  for (const place of PLACES) await sealPlace(env, place, newest.id);
}

async function sealPlace(env: Env, place: SealedPlace, keyId: string): Promise<void> {
  const db = openDatabase(env.DB);
  let after = "";
  for (let page = 0; page < PAGES_A_NIGHT; page += 1) {
    const rows = await selectSealedOtherwise(db, place, { keyId, after, limit: PAGE });
    for (const row of rows) {
      const owner = { userId: row.user_id, provider: place.providerOf(row.id) };
      const secret = await openCredential(env, owner, row.sealed);
      if (secret !== null) await replaceSealed(db, place, row, await sealCredential(env, owner, secret));
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? "";
  }
}
