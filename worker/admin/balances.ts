import { fromMicros } from "../credits/money.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { hubOf } from "../user-hub/stub.ts";
import { selectSpenders } from "./queries.ts";

type Balance = { id: string; credits: number | null; spent: number };

/**
 * What people have left, each asked of its own ledger, and spent on this month's closed days, in US dollars. The house pays for guests,
 * and an id that is nobody's makes no ledger.
 */
export async function readBalances(env: Env, db: Database, ids: string[], now = new Date()): Promise<Balance[]> {
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const people = await selectSpenders(db, { ids, month });
  return Promise.all(
    people.map(async ({ id, anonymous, spentMicros }) => {
      const credits = anonymous ? null : fromMicros(await hubOf(env, id).credits());
      return { id, credits, spent: fromMicros(spentMicros) };
    }),
  );
}
