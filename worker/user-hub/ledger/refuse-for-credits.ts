import { fromMicros } from "#worker/credits/money.ts";
import type { Outcome } from "#worker/app-error.ts";

/** Why a turn isn't begun for lack of credits, and what to do about it. */
export function refuseForCredits({ availableMicros, amountMicros }: { availableMicros: number; amountMicros: number }): Outcome<never> {
  if (availableMicros <= 0) return { ok: false, code: "INSUFFICIENT_CREDITS" };
  const needed = fromMicros(amountMicros).toFixed(4);
  const left = fromMicros(availableMicros).toFixed(4);
  return {
    ok: false,
    code: "INSUFFICIENT_CREDITS",
    message: `This answer may cost about $${needed}, and $${left} is left. Pick a cheaper model or add credits; your text is kept.`,
  };
}
