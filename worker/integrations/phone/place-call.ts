import * as z from "zod/mini";
import { nextOpening, clockTimeIn, minuteOfDay } from "#shared/tools/call-hours.ts";
import { placeCall } from "#worker/platform/clients/runs/bland.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countIfAllowed, takeBackEvent } from "#worker/platform/http/rate-limit.ts";
import type { PlacedRun, PlannedRun } from "#worker/conversation/tools/outside/outside-runs.ts";
import type { ToolContext, ToolResult } from "#worker/conversation/tools/tool.ts";
import { findUser } from "#worker/people/users/users.ts";
import { callRules } from "./call-settings.ts";
import { checkPhoneNumber } from "./check-phone-number.ts";
import { webhookAddress } from "./webhook-address.ts";

/** What a call is made with, as its person approved it. */
export const CallInput = z.object({
  phone_number: z.string(),
  task: z.string(),
  max_duration: z.number(),
  first_sentence: z.optional(z.string()),
  voice: z.optional(z.string()),
  language: z.optional(z.string()),
  outside_hours: z.optional(z.boolean()),
});
export type CallInput = z.infer<typeof CallInput>;

/** Which call of which chat it is for, and who pays for it. */
type Place = { chatId: string; callId: string; userId: string };

const UNCERTAIN =
  "Whether the call was placed is not known, so do not call again. If it was, what was said comes into this chat by itself.";

/** Calls a number for a tool call, within its person's calls of a day and credit; outside of their hours it waits for them, and the room follows it to its end. */
export async function placeCallForTool(input: CallInput, context: ToolContext): Promise<ToolResult> {
  const { env, chatId, callId, replyId, reader, runs } = context;
  const checked = checkPhoneNumber(input.phone_number);
  if (!checked.ok) return checked;
  const { time_zone: zone, price_per_minute: price, ...hours } = await callRules(env, reader.userId);
  const opens = input.outside_hours ? null : nextOpening(hours, zone, Date.now());
  const at = { callId, replyId, reader };
  const run = { kind: "phone", number: checked.number, maxMinutes: input.max_duration } as const;
  if (opens !== null) {
    if (!(await runs.plan(at, run, { startsAt: opens, order: input }))) return { ok: false, error: "This was begun already." };
    const when = `It is outside of the user's calling hours: ${checked.shown} is called by itself on ${describeTime(zone, opens)}, when they begin.`;
    return { ok: true, output: `${when} They can cancel it here until then. What was said comes into this chat once the call has ended.` };
  }
  const place = { chatId, callId, userId: reader.userId };
  const made = await runs.start(at, { ...run, holdDollars: input.max_duration * price }, () => placeWithinDay(env, place, input));
  if (!made.ok) return { ok: false, error: made.isUncertain ? `${made.error} ${UNCERTAIN}` : made.error };
  return { ok: true, output: `${checked.shown} is being called. What was said comes into this chat by itself once the call has ended.` };
}

/** What becomes of a call that waited for its person's hours, now that they should have begun. */
export async function placeWaitingCall(env: Env, place: Place, order: unknown): Promise<PlannedRun> {
  const input = CallInput.parse(order);
  const person = await findUser(openDatabase(env.DB), place.userId);
  if (!person || person.blocked_at !== null) return { kind: "refused", error: "Whoever wanted it may not call anybody any more." };
  const { time_zone: zone, price_per_minute: price, ...hours } = await callRules(env, place.userId);
  // The hours may have been changed meanwhile.
  const opens = nextOpening(hours, zone, Date.now());
  if (opens !== null) return { kind: "waits", until: opens };
  return { kind: "ready", holdDollars: input.max_duration * price, begin: () => placeWithinDay(env, place, input) };
}

async function placeWithinDay(env: Env, { chatId, callId, userId }: Place, input: CallInput): Promise<PlacedRun> {
  const { outside_hours: _hours, ...call } = input;
  const checked = checkPhoneNumber(input.phone_number);
  if (!checked.ok) return checked;
  const { time_zone: zone, calls_per_day: perDay } = await callRules(env, userId);
  // Counted before it is made, where all of a person's calls meet: two at once cannot both be the last.
  const key = `calls:${userId}`;
  const { begins, ends } = dayBoundsAt(zone, Date.now());
  if (!(await countIfAllowed(env, key, { limit: perDay, since: begins - 1, until: ends }))) {
    return { ok: false, error: `The day's calls are used up: there are ${perDay} a day. The number is set in the settings, under Tools.` };
  }
  const metadata = { chat_id: chatId, user_id: userId, tool_call_id: callId };
  const webhook = await webhookAddress(env, { chatId, callId });
  const placed = await placeCall(
    env,
    { ...call, phone_number: checked.number, metadata, ...(webhook !== null && { webhook }) },
    // A stop of the turn comes too late for it: a call that rings must be known here.
    new AbortController().signal,
  );
  if (placed.ok) return { ok: true, ref: placed.value, status: "queued", link: null };
  if (!placed.isUncertain) await takeBackEvent(env, key);
  return { ok: false, error: placed.message, isUncertain: placed.isUncertain };
}

const DAY_MS = 24 * 60 * 60_000;

/** When the day began in a zone, and when the next one does: epoch milliseconds, to the minute. */
export function dayBoundsAt(timeZone: string, at: number): { begins: number; ends: number } {
  const minute = Math.floor(at / 60_000) * 60_000;
  const begins = minute - minuteOfDay(timeZone, at) * 60_000;
  return { begins, ends: begins + DAY_MS };
}

/** A time as people of a zone say it: 'Saturday at 8:00 (Europe/Berlin)'. */
function describeTime(timeZone: string, at: number): string {
  const day = new Intl.DateTimeFormat("en", { timeZone, weekday: "long" }).format(at);
  return `${day} at ${clockTimeIn(timeZone, at)} (${timeZone})`;
}
