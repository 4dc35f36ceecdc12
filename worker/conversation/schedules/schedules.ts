import type { createSchedule, updateSchedule } from "#shared/contracts/schedules.ts";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import type { When } from "#shared/entities/schedules/when.ts";
import type { Schedule, ScheduleBody, ScheduleRun } from "#shared/entities/schedules/schedule.ts";
import { SCHEDULE_TITLE_LENGTH } from "#shared/limits.ts";
import { parseWhen } from "#shared/schedules/parse-when.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { findPrompt } from "#worker/library/prompts/prompts.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { ScheduleAnswer, ScheduleInput } from "#worker/conversation/hub/schedules.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { findUser } from "#worker/people/users/users.ts";
import { mayBeRead, NOT_PUBLIC } from "./read-page.ts";

/** Who sets a schedule; what answers it is checked before (routes.ts). */
export type Asker = { env: Env; db: Database; caller: Caller };
type NewSchedule = BodyOf<typeof createSchedule>;
type Change = BodyOf<typeof updateSchedule>;

async function ask(env: Env, userId: string, input: ScheduleInput): Promise<ScheduleAnswer> {
  return unwrap<ScheduleAnswer>(await hubOf(env, userId).schedules(input));
}

/** A person's schedules, newest first. */
export async function readSchedules(env: Env, userId: string): Promise<Schedule[]> {
  return (await ask(env, userId, { kind: "list" })).schedules;
}

/** One schedule. Throws NOT_FOUND. */
export async function findSchedule(env: Env, userId: string, id: string): Promise<Schedule> {
  return one(await ask(env, userId, { kind: "get", id }));
}

/** Makes a schedule, with `isPaused` one that waits for its person's word. Throws INVALID_INPUT with what is wrong, CONFLICT for an id that is taken. */
export async function addSchedule(asker: Asker, given: NewSchedule, { isPaused = false } = {}): Promise<Schedule> {
  const { env, caller } = asker;
  const zone = given.time_zone ?? (await timeZoneOf(asker.db, caller.userId));
  // The same again, later, is the schedule that was made: words as 'in 20 minutes' would mean another time by then.
  const known = await hubOf(env, caller.userId).schedules({ kind: "get", id: given.id });
  if (known.ok && typeof given.when === "string") return one(known.value);
  const text = given.text ?? null;
  const promptId = given.prompt_id ?? null;
  const promptText = await checkContent(asker, text, promptId);
  const body: ScheduleBody = {
    title: given.title ?? (await titleOf(asker, text, promptId)),
    text,
    prompt_id: promptId,
    variables: given.variables ?? {},
    when: parseTimes(given.when, { zone, text }),
    time_zone: zone,
    chat: given.chat ?? "new",
    model_id: given.model_id ?? null,
    persona_id: given.persona_id ?? null,
    tool_categories: given.tool_categories ?? null,
    budget: given.budget ?? null,
  };
  await checkAccess(asker, body, given.chat_id ?? null);
  return one(await ask(env, caller.userId, { kind: "create", id: given.id, body, promptText, chatId: given.chat_id ?? null, isPaused }));
}

/** A person's own zone: the chosen one, else their browser's. */
export async function timeZoneOf(db: Database, userId: string): Promise<string> {
  const person = await findUser(db, userId);
  return person?.time_zone ?? person?.browser_time_zone ?? "UTC";
}

/** Changes a schedule, pauses or resumes it. Throws NOT_FOUND, INVALID_INPUT. */
export async function changeSchedule(asker: Asker, id: string, { paused, chat_id: chatId, when, ...given }: Change): Promise<Schedule> {
  const { env, caller } = asker;
  const before = await findSchedule(env, caller.userId, id);
  const named: Partial<ScheduleBody> = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const zone = given.time_zone ?? before.time_zone;
  const text = given.text === undefined ? before.text : given.text;
  const promptId = given.prompt_id === undefined ? before.prompt_id : given.prompt_id;
  const isNamed = given.text !== undefined || given.prompt_id !== undefined;
  const promptText = isNamed ? await checkContent(asker, text, promptId) : undefined;
  const change = { ...named, ...(when !== undefined && { when: parseTimes(when, { zone, text }) }) };
  await checkAccess(asker, change, chatId ?? null);
  return one(await ask(env, caller.userId, { kind: "change", id, change, promptText, chatId, isPaused: paused }));
}

/** Deletes a schedule with its history. Throws NOT_FOUND. */
export async function removeSchedule(env: Env, userId: string, id: string): Promise<void> {
  await ask(env, userId, { kind: "remove", id });
}

/** Runs a schedule now. Throws NOT_FOUND, and CONFLICT while it runs. */
export async function runScheduleNow(env: Env, userId: string, id: string): Promise<ScheduleRun> {
  const { runs } = await ask(env, userId, { kind: "run", id, runId: crypto.randomUUID() });
  const [run] = runs;
  if (!run) throw new AppError("NOT_FOUND");
  return run;
}

/** The latest runs of a schedule, newest first. Throws NOT_FOUND. */
export async function readRuns(env: Env, userId: string, id: string): Promise<ScheduleRun[]> {
  return (await ask(env, userId, { kind: "runs", id })).runs;
}

function one({ schedules: [schedule] }: ScheduleAnswer): Schedule {
  if (!schedule) throw new AppError("NOT_FOUND");
  return schedule;
}

/** The times that words mean in a zone. Throws INVALID_INPUT for what is not known. */
export function parseTimes(when: When | string, { zone, text }: { zone: string; text: string | null }): When {
  if (typeof when !== "string") return when;
  const page = /https?:\/\/[^\s<>"')\]]+/.exec(text ?? "")?.[0] ?? null;
  const found = parseWhen(when, { now: Date.now(), zone, page });
  if (!found) throw new AppError("INVALID_INPUT", { message: NOT_UNDERSTOOD });
  return found;
}

const NOT_UNDERSTOOD =
  "That is no time that lies ahead. Write it like 'tomorrow at 9', 'every weekday at 8', 'every first of the month' or 'when https://example.org changes'; an hour is the least between two times.";

/** Answers what the saved prompt says; null for a text of the schedule's own. */
async function checkContent({ db, caller }: Asker, text: string | null, promptId: string | null): Promise<string | null> {
  if ((text === null) === (promptId === null)) throw new AppError("INVALID_INPUT", { message: "Give either a text or a saved prompt." });
  return promptId === null ? null : (await findPrompt(db, caller.userId, promptId)).content;
}

/** Refuses a page that may not be read, and a chat that its person may not write in. */
async function checkAccess({ env, caller }: Asker, { when }: Partial<ScheduleBody>, chatId: string | null): Promise<void> {
  if (when?.kind === "page" && !mayBeRead(env, when.url)) throw new AppError("INVALID_INPUT", { message: NOT_PUBLIC });
  if (chatId !== null) unwrap<unknown>(await roomOf(env, chatId).readTurnStatus({ userId: caller.userId }, chatId));
}

/** A schedule without a name has that of its prompt, or its text's first words. */
async function titleOf({ db, caller }: Asker, text: string | null, promptId: string | null): Promise<string> {
  const name = promptId === null ? (text ?? "") : (await findPrompt(db, caller.userId, promptId)).name;
  const line = name.trim().split("\n", 1)[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
  if (line.length <= SHORT_TITLE) return line.slice(0, SCHEDULE_TITLE_LENGTH);
  return `${line.slice(0, SHORT_TITLE).replace(/\s+\S*$/, "")}…`;
}

const SHORT_TITLE = 60;
