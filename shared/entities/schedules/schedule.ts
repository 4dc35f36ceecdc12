import * as z from "zod/mini";
import { Id, Timestamp } from "../ids.ts";
import { When } from "./when.ts";

/** How a run stands: `quiet` had nothing to report, `skipped` did not run, `waiting` waits for a person's word. */
export const ScheduleRunState = z.enum(["running", "waiting", "done", "quiet", "failed", "stopped", "skipped"]);
export type ScheduleRunState = z.infer<typeof ScheduleRunState>;

/** One time at which a schedule ran, or should have. */
export const ScheduleRun = z.object({
  id: Id,
  schedule_id: Id,
  /** When it was due. */
  due_at: Timestamp,
  started_at: z.nullable(Timestamp),
  ended_at: z.nullable(Timestamp),
  state: ScheduleRunState,
  /** The chat that holds its answer, and that answer. */
  chat_id: z.nullable(Id),
  message_id: z.nullable(Id),
  /** US dollars; null while unknown. */
  cost: z.nullable(z.number()),
  /** Why it failed or did not run. */
  note: z.nullable(z.string()),
});
export type ScheduleRun = z.infer<typeof ScheduleRun>;

/** What is sent, when, and with which settings. */
export const ScheduleBody = z.object({
  title: z.string(),
  /** What is sent; null for a saved prompt. */
  text: z.nullable(z.string()),
  prompt_id: z.nullable(Id),
  /** What the saved prompt's places are filled with, by name. */
  variables: z.record(z.string(), z.string()),
  when: When,
  /** IANA. */
  time_zone: z.string(),
  /** Whether each run begins a chat of its own, or all go on in one. */
  chat: z.enum(["new", "same"]),
  /** Null leaves them to the settings for triggered messages; an empty persona is none. */
  model_id: z.nullable(z.string()),
  persona_id: z.nullable(z.string()),
  tool_categories: z.nullable(z.array(z.string())),
  /** US dollars that one run may cost; null for the day's budget alone. */
  budget: z.nullable(z.number()),
});
export type ScheduleBody = z.infer<typeof ScheduleBody>;

/** `done` is one that ran once and is over. */
export const ScheduleState = z.enum(["active", "paused", "done"]);
export type ScheduleState = z.infer<typeof ScheduleState>;

/** A message that is sent by itself at its times. */
export const Schedule = z.extend(ScheduleBody, {
  id: Id,
  /** Its times in words. */
  words: z.string(),
  /** The one chat in which it goes on, once that is known. */
  chat_id: z.nullable(Id),
  state: ScheduleState,
  /** Why it is paused or held back. */
  note: z.nullable(z.string()),
  next_at: z.nullable(Timestamp),
  /** When its page was last looked at. */
  checked_at: z.nullable(Timestamp),
  last_run: z.nullable(ScheduleRun),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Schedule = z.infer<typeof Schedule>;
