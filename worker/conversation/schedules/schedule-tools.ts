import * as z from "zod/mini";
import { SCHEDULE_TEXT_LENGTH, SCHEDULE_TITLE_LENGTH } from "#shared/limits.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Tool, ToolResult } from "#worker/conversation/tools/tool.ts";

const schedules = loadOnce(() => import("#worker/conversation/schedules/by-model.ts"));

const NewSchedule = z.object({
  message: z
    .string()
    .check(z.minLength(1), z.maxLength(SCHEDULE_TEXT_LENGTH), z.describe("What is sent each time, as the user would write it.")),
  when: z
    .string()
    .check(
      z.maxLength(300),
      z.describe(
        "In words: 'in 20 minutes', 'tomorrow at 9', 'every weekday at 8', 'every Monday and Thursday at 17:30', 'every first of the month', 'every 3 hours', or 'when https://… changes'. An hour is the least between two times.",
      ),
    ),
  title: z.optional(z.string().check(z.maxLength(SCHEDULE_TITLE_LENGTH))),
  time_zone: z.optional(z.string().check(z.describe("IANA; the user's own where it is left out."))),
  in_this_chat: z.optional(z.boolean().check(z.describe("True where the answers go on in this chat; else each begins a chat of its own."))),
});

const common = { dollars: 0, actsOutside: false, readsOutside: false, isForAccounts: true } as const;

/** Sets a schedule, once its person approves it. */
export const createSchedule: Tool<typeof NewSchedule> = {
  ...common,
  id: "createSchedule",
  description:
    "Has a message sent by itself at times of its own, or when a web page changes, and answered then. The user approves it first, and may change it.",
  input: NewSchedule,
  asksFirst: () => true,
  problem: async ({ when, time_zone: zone, message }, { env, userId }) =>
    (await schedules()).problemOfTime(env, userId, { when, zone: zone ?? null, text: message }),
  run: (input, { env, reader, callId, chatId }) =>
    resultOf(async () => (await schedules()).createByModel(env, reader.userId, { callId, chatId, ...input })),
};

const Nothing = z.object({});

/** Lists a person's schedules. */
export const listSchedules: Tool<typeof Nothing> = {
  ...common,
  id: "listSchedules",
  description: "Lists what the user has sent by itself, with ids, times and what became of the last one.",
  input: Nothing,
  run: (_input, { env, reader }) => resultOf(async () => (await schedules()).listForModel(env, reader.userId)),
};

const Cancelled = z.object({ id: z.string().check(z.describe("The schedule's id.")) });

/** Ends a schedule. */
export const cancelSchedule: Tool<typeof Cancelled> = {
  ...common,
  id: "cancelSchedule",
  description: "Deletes one of the user's schedules; the chats that it made stay.",
  input: Cancelled,
  asksFirst: (_input, { hasUntrustedText }) => hasUntrustedText,
  run: ({ id }, { env, reader }) => resultOf(async () => (await schedules()).cancelByModel(env, reader.userId, id)),
};

/** The model gets refusals in the words that people read. */
async function resultOf(act: () => Promise<string>): Promise<ToolResult> {
  try {
    return { ok: true, output: await act() };
  } catch (cause) {
    if (cause instanceof AppError) return { ok: false, error: cause.message };
    throw cause;
  }
}
