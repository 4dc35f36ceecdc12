import { lookUpCost } from "#worker/platform/clients/aggregator.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import type { Env } from "#worker/platform/env.ts";
import { resolveCharge, unknownCharges, pendingChargesOf, dropCharges, payerIds } from "./charges.ts";
import { isCreated } from "../migrations.ts";
import { sleep } from "#worker/conversation/turn/sleep.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { readChat } from "../chat.ts";

/** The aggregator writes its books some seconds after a call: it is asked after these waits, in milliseconds. */
const LOOK_UP_WAITS_MS = [500, 2_000, 5_000];

/** Finds out what cut and stopped calls cost: by the aggregator's books, else by the estimate. Answers whether any became known. */
export async function resolveCosts(env: Env, sql: SqlStorage, chatId: string): Promise<boolean> {
  const charges = unknownCharges(sql, chatId);
  // At once: a reply that asked several models is looked up as fast as another.
  await Promise.all(
    charges.map(async (charge) => {
      const cost = charge.generationId === null ? null : await lookUp(env, charge.generationId);
      const isStillUnknown = isCreated(sql) && unknownCharges(sql, chatId).some(({ callId }) => callId === charge.callId);
      if (isStillUnknown) resolveCharge(sql, charge, cost === null ? charge.estimateMicros : toMicros(cost));
    }),
  );
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

/** Enters what a chat still owes before it is emptied, with what was under way looked up. Throws where a payer was not reached: what is left is entered when it is called again. */
export async function payCharges(env: Env, sql: SqlStorage): Promise<void> {
  const { id: chatId } = readChat(sql);
  await resolveCosts(env, sql, chatId);
  for (const payerId of payerIds(sql)) {
    const charges = pendingChargesOf(sql, payerId, chatId);
    for (const charge of charges) await hubOf(env, payerId).charge(charge, charge.callId);
    dropCharges(sql, charges);
  }
}
