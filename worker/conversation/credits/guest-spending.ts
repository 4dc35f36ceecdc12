/** What the house pays for its guests: so much in a day of UTC, counted exactly in one small object a day (decisions, Guests). */
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Charge } from "#worker/platform/spending/holds.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { rateLimiterOf } from "#worker/platform/rate-limiter/stub.ts";
import { log } from "#worker/platform/log.ts";
import type { CallInput, Longest } from "#worker/platform/spending/holds.ts";
import { toMicros } from "#worker/platform/spending/money.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A day's record stays so long after it: what began before midnight is paid after. */
const LATE_CHARGES_MS = 2 * 60 * 60_000;

function dayOf(now = Date.now()): { name: string; until: number } {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  return { name: `guest-dollars:${new Date(midnight).toISOString().slice(0, 10)}`, until: midnight + DAY_MS + LATE_CHARGES_MS };
}

/** Reserves what a guest's call may cost of the day's amount; GUEST_LIMIT where too little is left. */
export async function reserveForGuest(env: Env, { chatId, ...input }: CallInput & { chatId: string }): Promise<Outcome<Longest>> {
  const { name, until } = dayOf();
  const limitMicros = toMicros(configOf(env).limits.guestDollarsPerDay);
  try {
    const reserved = await rateLimiterOf(env, name).hold({ ...input, replyId: keyOf(chatId, input.replyId), limitMicros, until });
    return reserved === null ? { ok: false, code: "GUEST_LIMIT" } : { ok: true, value: reserved };
  } catch (cause) {
    log.error("the house's amount for guests could not be checked", { cause });
    return { ok: false, code: "USAGE_CHECK_FAILED" };
  }
}

/** Enters what guests' calls cost, each once however often it is reported. */
export async function chargeForGuests(env: Env, charges: readonly Charge[]): Promise<void> {
  const { name, until } = dayOf();
  const paid = charges.map(({ chatId, callId, replyId, what, amountMicros }) => {
    const ended = endedBy(callId, replyId, what);
    return { callId: keyOf(chatId, callId), micros: amountMicros, ended: ended === null ? null : keyOf(chatId, ended) };
  });
  await rateLimiterOf(env, name).pay(paid, until);
}

/** What nothing more is reserved for once this is paid: a reply with its last call, and what is reserved by itself. */
function endedBy(callId: string, replyId: string, what: Charge["what"]): string | null {
  if (what === "reply") return replyId;
  return what === "round" || what === "tool" ? null : callId;
}

/** Lets go of what was reserved for a guest's call that was not made. */
export async function releaseForGuest(env: Env, { chatId, replyId }: { chatId: string; replyId: string }): Promise<void> {
  await rateLimiterOf(env, dayOf().name).letGo(keyOf(chatId, replyId));
}

/** A reply or a call among those of all guests: a client chooses a reply's id, and may choose one in many chats. */
function keyOf(chatId: string, id: string): string {
  return `${chatId}/${id}`;
}
