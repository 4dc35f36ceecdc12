import * as z from "zod/mini";

/** Calls of one person in a day of theirs, at most. */
export const CALLS_PER_DAY_MAX = 20;

const Hour = z.int().check(z.minimum(0), z.maximum(24));

/** When a person's chats may call, in whole hours of their own time zone, and how often in a day. */
export const CallSettings = z.object({
  from_hour: Hour,
  until_hour: Hour,
  calls_per_day: z.int().check(z.minimum(0), z.maximum(CALLS_PER_DAY_MAX)),
});
export type CallSettings = z.infer<typeof CallSettings>;

/** The same as somebody sets it. */
export const CallRules = CallSettings.check(
  z.refine(({ from_hour: from, until_hour: until }) => from < until, "Calls have to end later in the day than they begin."),
);
