import type { Env } from "../env.ts";
import { callRules } from "./call-settings.ts";
import { hoursProblem } from "./hours.ts";
import { checkNumber } from "./numbers.ts";

/** Why a number is not called by this person now; null where it is. */
export async function callProblem(env: Env, userId: string, number: string): Promise<string | null> {
  const checked = checkNumber(number);
  if (!checked.ok) return checked.error;
  const { time_zone: zone, ...settings } = await callRules(env, userId);
  return hoursProblem(settings, zone, Date.now());
}
