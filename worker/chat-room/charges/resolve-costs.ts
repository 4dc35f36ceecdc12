import { lookUpCost } from "#worker/clients/aggregator.ts";
import { toMicros } from "#worker/credits/money.ts";
import type { Env } from "#worker/env.ts";
import { resolveCharge, unknownCharges } from "./charges.ts";
import { isCreated } from "../migrations.ts";
import { sleep } from "#worker/turn/sleep.ts";

/** The aggregator writes its books some seconds after a call: it is asked after these waits, in milliseconds. */
const LOOK_UP_WAITS_MS = [500, 2_000, 5_000];

/** Finds out what cut and stopped calls cost: by the aggregator's books, else by the estimate. Answers whether any became known. */
export async function resolveCosts(env: Env, sql: SqlStorage, chatId: string): Promise<boolean> {
  const charges = unknownCharges(sql, chatId);
  for (const charge of charges) {
    const cost = charge.generationId === null ? null : await lookUp(env, charge.generationId);
    const isStillUnknown = isCreated(sql) && unknownCharges(sql, chatId).some(({ callId }) => callId === charge.callId);
    if (isStillUnknown) resolveCharge(sql, charge, cost === null ? charge.estimateMicros : toMicros(cost));
  }
  return charges.length > 0;
}

async function lookUp(env: Env, generationId: string): Promise<number | null> {
  for (const wait of LOOK_UP_WAITS_MS) {
    await sleep(wait);
    const cost = await lookUpCost(env, generationId);
    if (cost !== null) return cost;
  }
  return null;
}
