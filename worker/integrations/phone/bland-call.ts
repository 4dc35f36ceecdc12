import * as z from "zod/mini";
import { configOf } from "#worker/platform/env.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const numbers = loadOnce(() => import("./check-phone-number.ts"));
const calling = loadOnce(() => import("./place-call.ts"));

/** Minutes of the longest call. */
const LONGEST = 30;

const Input = z.object({
  phone_number: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "A phone number is needed."),
      z.maxLength(40),
      z.describe("With + and the country's code, e.g. +14155550123."),
    ),
  task: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "Say what the call is about."),
      z.maxLength(8_000),
      z.describe("What the caller is to say and find out, with all that it needs to know: it reads nothing of this chat."),
    ),
  first_sentence: z.optional(z.string().check(z.maxLength(400), z.describe("How the call begins."))),
  max_duration: z
    .int("The longest time is whole minutes.")
    .check(
      z.minimum(1, "A call takes at least a minute."),
      z.maximum(LONGEST, `A call takes at most ${LONGEST} minutes.`),
      z.describe("Its longest time in minutes, 5 where nothing else is asked for."),
    ),
  voice: z.optional(z.string().check(z.maxLength(100))),
  language: z.optional(z.string().check(z.maxLength(20), z.describe("The language that is spoken, e.g. en or de."))),
  outside_hours: z.optional(
    z
      .boolean()
      .check(
        z.describe(
          "True to call now though it may be outside of the user's calling hours: only where they want it now. They approve it in any case.",
        ),
      ),
  ),
});

/** Calls somebody, once its person approved number, task and longest time. */
export const blandCall: Tool<typeof Input> = {
  id: "blandCall",
  description:
    "Calls a phone number with a task: a voice assistant speaks with whoever answers. The user sees, edits and approves number, task and longest time first. Outside of the user's calling hours it waits by itself until they begin, unless outside_hours is set, and they choose that where they approve it. It answers at once; what was said comes into this chat by itself once the call has ended, so do not wait or call again.",
  input: Input,
  dollars: 0,
  actsOutside: true,
  // What the other side said takes the place of its answer.
  readsOutside: true,
  isForAccounts: true,
  isSetUp: (env) => configOf(env).phone.key !== undefined,
  // What is always allowed holds within the hours alone.
  asksFirst: ({ outside_hours: isOutside = false }) => isOutside,
  problem: async ({ phone_number: number }) => {
    const { checkPhoneNumber: checkNumber } = await numbers();
    const checked = checkNumber(number);
    return checked.ok ? null : checked.error;
  },
  async run(input, context) {
    const { placeCallForTool } = await calling();
    return placeCallForTool(input, context);
  },
};
