import * as z from "zod/mini";
import { type Database, openDatabase } from "../db/client.ts";
import { job } from "../jobs/job.ts";
import { readTeamTimes } from "../teams/teams.ts";
import { hubOf } from "../user-hub/stub.ts";
import { deleteDays, replaceDay } from "./queries.ts";

/** Takes what a person's closed day cost from their hub into the relational database. */
export const reportDayJob = job("usage.day", z.object({ userId: z.string(), day: z.string() }), async (env, { userId, day }) => {
  const db = openDatabase(env.DB);
  const report = await hubOf(env, userId).usageOfDay(day, await readTeamTimes(db, userId));
  if (report) await replaceDay(db, { userId, day }, report);
});

/** Forgets a guest's days, whose entries another ledger took over. */
export function forgetDays(db: Database, userId: string): Promise<void> {
  return deleteDays(db, userId);
}
