import * as z from "zod/mini";
import { ToolCategoryIds } from "#shared/entities/chat-settings.ts";
import { Id, ModelId } from "#shared/entities/ids.ts";
import { Schedule, ScheduleRun } from "#shared/entities/schedules/schedule.ts";
import { When } from "#shared/entities/schedules/when.ts";
import { SCHEDULE_BUDGET_MAX, SCHEDULE_TEXT_LENGTH, SCHEDULE_TITLE_LENGTH, TIME_ZONE_LENGTH } from "#shared/limits.ts";
import { isTimeZone } from "#shared/time-zone.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { asName, someText } from "#shared/contracts/as-name.ts";
import { endpoint } from "./endpoint.ts";

const ScheduleParams = z.object({ id: Id });

// At U+0000 the functions of SQL that read text stop.
const withoutNull = z.overwrite<string>((text) => text.replaceAll("\u0000", ""));

const Title = z
  .string()
  .check(
    asName,
    z.minLength(1, "Give the schedule a name."),
    z.maxLength(SCHEDULE_TITLE_LENGTH, `A name may have ${SCHEDULE_TITLE_LENGTH} characters at most.`),
  );

const Text = z
  .string()
  .check(
    withoutNull,
    z.trim(),
    someText("Write what is to be sent."),
    z.maxLength(SCHEDULE_TEXT_LENGTH, "That is too long for a schedule. Save it as a prompt."),
  );

const WhenText = z.string().check(z.trim(), z.minLength(1, "Say when it is to run."), z.maxLength(300, "That is too long for a time."));

const TimeZone = z.string().check(z.maxLength(TIME_ZONE_LENGTH, "That is no time zone."), z.refine(isTimeZone, "That is no time zone."));

const Settings = {
  /** Either the times themselves or words for them, as `every weekday at 8`. */
  when: z.union([When, WhenText]),
  text: z.nullable(Text),
  prompt_id: z.nullable(Id),
  variables: z.record(z.string().check(z.maxLength(100)), z.string().check(z.maxLength(SCHEDULE_TEXT_LENGTH))),
  time_zone: TimeZone,
  chat: z.enum(["new", "same"]),
  /** The chat to go on in; its next run begins one where it is null. */
  chat_id: z.nullable(Id),
  model_id: z.nullable(ModelId),
  persona_id: z.nullable(z.union([Id, z.literal("")])),
  tool_categories: z.nullable(ToolCategoryIds),
  budget: z.nullable(
    z
      .number()
      .check(
        z.gte(0.01, "A run's budget is at least $0.01."),
        z.lte(SCHEDULE_BUDGET_MAX, `A run's budget is at most $${SCHEDULE_BUDGET_MAX}.`),
      ),
  ),
} as const;

const One = z.object({ schedule: Schedule });

export const listSchedules = endpoint("GET", "/api/schedules", {
  summary: "The caller's schedules, newest first",
  access: "account",
  response: z.object({ schedules: z.array(Schedule) }),
});

export const createSchedule = endpoint("POST", "/api/schedules", {
  summary:
    "Have a text or a saved prompt sent at times of its own; `when` may be given in words, the zone is the caller's unless named. The same id again answers the same",
  access: "account",
  repeat: "id",
  body: z.extend(z.partial(z.object({ ...Settings, title: Title })), { id: Id, when: Settings.when }),
  response: One,
  status: 201,
});

export const getSchedule = endpoint("GET", "/api/schedules/:id", {
  summary: "One schedule",
  access: "account",
  params: ScheduleParams,
  response: One,
});

export const updateSchedule = endpoint("PATCH", "/api/schedules/:id", {
  summary: "Change a schedule, or pause and resume it; new times count from now",
  access: "account",
  params: ScheduleParams,
  body: z.partial(z.object({ ...Settings, title: Title, paused: z.boolean() })),
  response: One,
});

export const deleteSchedule = endpoint("DELETE", "/api/schedules/:id", {
  summary: "Delete a schedule with its history; the chats it made stay",
  access: "account",
  params: ScheduleParams,
  response: Ok,
});

export const runSchedule = endpoint("POST", "/api/schedules/:id/run", {
  summary: "Run a schedule now, beside its times; refused while it runs",
  access: "account",
  repeat: "key",
  params: ScheduleParams,
  body: z.object({}),
  response: z.object({ run: ScheduleRun }),
  status: 202,
});

export const listScheduleRuns = endpoint("GET", "/api/schedules/:id/runs", {
  summary: "The latest runs of a schedule, newest first, those that were left out too",
  access: "account",
  params: ScheduleParams,
  response: z.object({ runs: z.array(ScheduleRun) }),
});
