/** Schedules as models set, list and end them for their person. */
import { dayAndTime } from "#shared/schedules/describe-when.ts";
import { isTimeZone } from "#shared/time-zone.ts";
import { isUuid } from "#shared/uuid.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { findUser } from "#worker/people/users/users.ts";
import { addSchedule, readSchedules, removeSchedule, parseTimes, timeZoneOf } from "./schedules.ts";

type Asked = {
  callId: string;
  chatId: string;
  message: string;
  when: string;
  title?: string | undefined;
  time_zone?: string | undefined;
  in_this_chat?: boolean | undefined;
};

/** Why a time is none, in words for models and people; null for one that lies ahead. */
export async function problemOfTime(
  env: Env,
  userId: string,
  { when, zone, text }: { when: string; zone: string | null; text: string },
): Promise<string | null> {
  if (zone !== null && !isTimeZone(zone)) return "That is no time zone by its IANA name.";
  try {
    parseTimes(when, { zone: zone ?? (await timeZoneOf(openDatabase(env.DB), userId)), text });
    return null;
  } catch (cause) {
    if (cause instanceof AppError) return cause.message;
    throw cause;
  }
}

/** Sets a schedule, once for each call. Throws `AppError`. */
export async function createByModel(env: Env, userId: string, asked: Asked): Promise<string> {
  const db = openDatabase(env.DB);
  const person = await findUser(db, userId);
  if (!person || person.anonymous) throw new AppError("SIGN_IN_REQUIRED");
  if (asked.time_zone !== undefined && !isTimeZone(asked.time_zone))
    throw new AppError("INVALID_INPUT", { message: "That is no time zone." });
  const schedule = await addSchedule(
    { env, db, caller: toCaller("", person) },
    {
      id: await uuidOfName(`schedule-call:${asked.callId}`),
      text: asked.message,
      when: asked.when,
      ...(asked.title !== undefined && asked.title.trim() !== "" && { title: asked.title.trim() }),
      ...(asked.time_zone !== undefined && { time_zone: asked.time_zone }),
      ...(asked.in_this_chat === true && { chat: "same" as const, chat_id: asked.chatId }),
    },
  );
  const { id, title, words, time_zone: zone, next_at: next } = schedule;
  const first = next === null ? "" : ` It comes next on ${dayAndTime(Date.parse(next), zone)}.`;
  return `The schedule “${title}” is set (id ${id}): ${words}, ${zone}.${first} The user sees it under Schedules.`;
}

/** A person's schedules, a line each. */
export async function listForModel(env: Env, userId: string): Promise<string> {
  const schedules = await readSchedules(env, userId);
  if (schedules.length === 0) return "There are no schedules.";
  return schedules
    .map(({ id, title, words, time_zone: zone, state, next_at: next, last_run: run }) => {
      const ahead = state === "active" && next !== null ? `next on ${dayAndTime(Date.parse(next), zone)}` : state;
      return `- ${id}: “${title}”, ${words} (${zone}), ${ahead}, ${run === null ? "has not run yet" : `last: ${run.state}`}`;
    })
    .join("\n");
}

/** Deletes a schedule. Throws NOT_FOUND. */
export async function cancelByModel(env: Env, userId: string, id: string): Promise<string> {
  if (!isUuid(id)) throw new AppError("NOT_FOUND", { message: "There is no schedule with this id." });
  await removeSchedule(env, userId, id);
  return "The schedule is deleted.";
}
