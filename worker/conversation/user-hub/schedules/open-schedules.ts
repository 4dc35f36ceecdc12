/** What of schedules a hub starts with: the rest is loaded by the first that is asked for or due. */
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import type { ScheduleDeps } from "./runs.ts";
import type { Schedules } from "./schedules.ts";

const module = loadOnce(() => import("./schedules.ts"));

/** The schedules of one user, made when they are first needed. */
export function openSchedules(deps: () => ScheduleDeps): () => Promise<Schedules> {
  let schedules: Schedules | null = null;
  return async () => {
    const { createSchedules } = await module();
    return (schedules ??= createSchedules(deps()));
  };
}

/** A reply has ended: the run that it is of, if any, goes on at once. */
export async function noteEnded(sql: SqlStorage, due: Pick<DueWork<"schedule-run">, "schedule">, replyId: string): Promise<void> {
  const run = sql.exec<{ id: string }>("SELECT id FROM schedule_runs WHERE reply_id = ? AND ended_at IS NULL", replyId).toArray()[0];
  if (run) await due.schedule("schedule-run", run.id, Date.now());
}
