import type { CallSettings } from "#shared/entities/outbound/call-settings.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { getUserRow } from "#worker/people/users/users.ts";
import { selectCallSettings, upsertCallSettings } from "./queries.ts";

export { selectCallSettings } from "./queries.ts";

const DEFAULTS: CallSettings = { from_hour: 8, until_hour: 20, calls_per_day: 5 };

/** What holds for a person's calls: their settings, their time zone, and what a minute costs in US dollars. */
export async function callRules(env: Env, userId: string) {
  const db = openDatabase(env.DB);
  const [settings, row] = await Promise.all([selectCallSettings(db, userId), getUserRow(db, userId)]);
  const time_zone = row.time_zone ?? row.browser_time_zone ?? "UTC";
  return { ...DEFAULTS, ...settings, time_zone, price_per_minute: configOf(env).phone.pricePerMinute };
}

/** Sets what holds for a person's calls, and answers it. */
export async function setCallRules(env: Env, userId: string, settings: CallSettings) {
  await upsertCallSettings(openDatabase(env.DB), userId, settings);
  return callRules(env, userId);
}
