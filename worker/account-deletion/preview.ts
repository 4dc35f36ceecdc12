import type { DeletionPreview } from "#shared/contracts/account/deletion.ts";
import { fromMicros } from "../credits/money.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { leaderlessTeams, loneTeams } from "../teams/depart.ts";
import { hubOf } from "../user-hub/stub.ts";
import { selectCounts } from "./queries.ts";

/** What is deleted with an account, shown to its owner beforehand. */
export async function describeDeletion(env: Env, db: Database, userId: string): Promise<DeletionPreview> {
  const hub = hubOf(env, userId);
  const [counts, credits, storedBytes, lone, leaderless] = await Promise.all([
    selectCounts(db, userId),
    hub.credits(),
    hub.storedBytes(),
    loneTeams(db, userId),
    leaderlessTeams(db, userId),
  ]);
  return { ...counts, credits: fromMicros(credits), storedBytes, loneTeams: lone, leaderlessTeams: leaderless };
}
