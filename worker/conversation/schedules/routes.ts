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
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import {
  addSchedule,
  changeSchedule,
  findSchedule,
  readRuns,
  readSchedules,
  removeSchedule,
  runScheduleNow,
  type Asker,
} from "./schedules.ts";
import type { ScheduleBody } from "#shared/entities/schedules/schedule.ts";
import type { Features } from "#worker/conversation/features.ts";
import { checkTriggered } from "#worker/conversation/tool-settings/triggered.ts";

/** Mounts the caller's schedules. */
export const scheduleRoutes =
  (features: Features) =>
  (app: Hono<AppContext>): void => {
    serve(app, listSchedules, async ({ c, caller }) => ({ schedules: await readSchedules(c.env, caller.userId) }));

    serve(app, createSchedule, async ({ c, caller, body }) => {
      const asker = { env: c.env, db: c.var.db, caller };
      await checkSettings(features, asker, body);
      return { schedule: await addSchedule(asker, body) };
    });

    serve(app, getSchedule, async ({ c, caller, params }) => ({ schedule: await findSchedule(c.env, caller.userId, params.id) }));

    serve(app, updateSchedule, async ({ c, caller, params, body }) => {
      const asker = { env: c.env, db: c.var.db, caller };
      await checkSettings(features, asker, body);
      return { schedule: await changeSchedule(asker, params.id, body) };
    });

    serve(app, deleteSchedule, async ({ c, caller, params }) => {
      await removeSchedule(c.env, caller.userId, params.id);
      return { ok: true as const };
    });

    serve(app, runSchedule, async ({ c, caller, params }) => ({ run: await runScheduleNow(c.env, caller.userId, params.id) }));

    serve(app, listScheduleRuns, async ({ c, caller, params }) => ({ runs: await readRuns(c.env, caller.userId, params.id) }));
  };

type Settings = { [K in "model_id" | "persona_id" | "tool_categories"]?: ScheduleBody[K] | undefined };

/** Refuses a model, tools or a persona that a schedule's person may not use. Throws as `checkTriggered` does. */
async function checkSettings(features: Features, { env, db, caller }: Asker, settings: Settings): Promise<void> {
  const { model_id: model, persona_id: persona, tool_categories: categories } = settings;
  await checkTriggered({ env, db, features }, caller, {
    ...(model != null && { triggered_model: model }),
    ...(persona != null && { triggered_system_prompt_id: persona }),
    ...(categories != null && { triggered_tool_categories: categories }),
  });
}
