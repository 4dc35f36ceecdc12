import * as z from "zod/mini";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import { job } from "#worker/platform/jobs/job.ts";
import { readTeamTimes } from "#worker/people/teams/teams.ts";
import { findUser } from "#worker/people/users/users.ts";
import type { Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { replaceDay } from "./queries.ts";

type Day = { userId: string; day: string };

/** Takes what a person's day cost so far from their hub into the relational database. */
export async function reportDay(env: Env, db: Database, { userId, day }: Day): Promise<void> {
  const report = await hubOf(env, userId).usageOfDay(day, await readTeamTimes(db, userId));
  if (report) await replaceDay(db, { userId, day }, report);
}

/** The same of a closed day; that of an account which is gone is nobody's. */
export const reportDayJob = job("usage.day", z.object({ userId: z.string(), day: z.string() }), reportClosed, "BULK");

async function reportClosed(env: Env, day: Day): Promise<void> {
  const db = openDatabase(env.DB);
  if (await findUser(db, day.userId)) await reportDay(env, db, day);
}
