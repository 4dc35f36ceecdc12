import * as z from "zod/mini";
import { PAGE_URL_LENGTH } from "../../limits.ts";
import { Timestamp } from "../ids.ts";

/** A time of day on the wall, as `08:30`. */
export const ClockTime = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "A time is written like 08:30."));

/** The days of the week as ISO 8601 counts them: 1 is Monday. */
const Weekday = z.number().check(z.int(), z.gte(1, "There is no such day."), z.lte(7, "There is no such day."));

/** When a schedule runs; times of day are those of its zone. */
export const When = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("once"), at: Timestamp }),
  z.object({ kind: z.literal("daily"), time: ClockTime }),
  z.object({ kind: z.literal("weekdays"), time: ClockTime }),
  z.object({
    kind: z.literal("weekly"),
    days: z.array(Weekday).check(z.minLength(1, "Choose a day of the week."), z.maxLength(7, "A week has seven days.")),
    time: ClockTime,
  }),
  /** In a month without that day on its last one. */
  z.object({
    kind: z.literal("monthly"),
    day: z.number().check(z.int(), z.gte(1, "Choose a day from 1 to 31."), z.lte(31, "Choose a day from 1 to 31.")),
    time: ClockTime,
  }),
  z.object({
    kind: z.literal("hours"),
    every: z.number().check(z.int("Give whole hours."), z.gte(1, "An hour is the least."), z.lte(168, "Choose at most 168 hours.")),
  }),
  /** When the text of a page changes: it is looked at every hour. */
  z.object({
    kind: z.literal("page"),
    url: z.string().check(z.trim(), z.url("That is no address of a page."), z.maxLength(PAGE_URL_LENGTH)),
  }),
]);
export type When = z.infer<typeof When>;
