import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, type Job, job } from "#worker/platform/jobs/job.ts";
import { recordResets, selectMakers } from "./queries.ts";

/** People of one job. */
const PAGE = 500;

/** A month that began (`2026-12`), and after whom to go on. */
const Reset = z.object({ month: z.string(), after: z.string() });
type Reset = z.infer<typeof Reset>;

/** On the 1st: asks for the record of the new month for everybody who made an invite in the last one. */
export async function enqueueResets(env: Env, at: Date): Promise<void> {
  await enqueue(env, recordResetsJob, { month: at.toISOString().slice(0, 7), after: "" });
}

/** Records a page of a month's resets and queues the next one; a repeat records nothing twice. */
export const recordResetsJob: Job<Reset> = job("invites.resets", Reset, recordPage, "BULK");

async function recordPage(env: Env, { month, after }: Reset): Promise<void> {
  const db = openDatabase(env.DB);
  const makers = await selectMakers(db, { month: monthBefore(month), after, limit: PAGE });
  if (makers.length === 0) return;
  await recordResets(db, { month, at: new Date().toISOString(), makers });
  const last = makers.at(-1)?.userId ?? "";
  if (makers.length === PAGE) await enqueue(env, recordResetsJob, { month, after: last });
}

/** The month before a month of UTC: `2026-12` before `2027-01`. */
function monthBefore(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - 1);
  return first.toISOString().slice(0, 7);
}
