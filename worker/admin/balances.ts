import { fromMicros } from "../credits/money.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { hubOf } from "../user-hub/stub.ts";
import { selectAccountIds } from "./queries.ts";

/** What accounts have left, each asked of its own ledger; an id that is no account's makes no ledger. */
export async function readBalances(env: Env, db: Database, ids: string[]): Promise<{ id: string; credits: number }[]> {
  const accounts = await selectAccountIds(db, ids);
  return Promise.all(accounts.map(async (id) => ({ id, credits: fromMicros(await hubOf(env, id).credits()) })));
}
