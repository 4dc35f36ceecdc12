import type { Hono } from "hono";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listScheduleRuns,
  listSchedules,
  runSchedule,
  updateSchedule,
} from "#shared/contracts/schedules.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { checkSettings } from "./check-settings.ts";
import { addSchedule, changeSchedule, findSchedule, readRuns, readSchedules, removeSchedule, runScheduleNow } from "./schedules.ts";

/** Mounts the caller's schedules. */
export function scheduleRoutes(app: Hono<AppContext>): void {
  serve(app, listSchedules, async ({ c, caller }) => ({ schedules: await readSchedules(c.env, caller.userId) }));

  serve(app, createSchedule, async ({ c, caller, body }) => {
    const asker = { env: c.env, db: c.var.db, caller };
    await checkSettings(asker, body);
    return { schedule: await addSchedule(asker, body) };
  });

  serve(app, getSchedule, async ({ c, caller, params }) => ({ schedule: await findSchedule(c.env, caller.userId, params.id) }));

  serve(app, updateSchedule, async ({ c, caller, params, body }) => {
    const asker = { env: c.env, db: c.var.db, caller };
    await checkSettings(asker, body);
    return { schedule: await changeSchedule(asker, params.id, body) };
  });

  serve(app, deleteSchedule, async ({ c, caller, params }) => {
    await removeSchedule(c.env, caller.userId, params.id);
    return { ok: true as const };
  });

  serve(app, runSchedule, async ({ c, caller, params }) => ({ run: await runScheduleNow(c.env, caller.userId, params.id) }));

  serve(app, listScheduleRuns, async ({ c, caller, params }) => ({ runs: await readRuns(c.env, caller.userId, params.id) }));
}
