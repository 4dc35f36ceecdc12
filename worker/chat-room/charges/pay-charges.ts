import type { Env } from "#worker/env.ts";
import { hubOf } from "#worker/user-hub/stub.ts";
import { chargesOf, dropCharges, payerIds, resolveCharge, unknownCharges } from "./charges.ts";
import { readChat } from "../chat.ts";

/** Enters what a chat still owes before it is emptied, at the estimate where the cost was not looked up yet. Throws where a payer was not reached: what is left is entered when it is called again. */
export async function payCharges(env: Env, sql: SqlStorage): Promise<void> {
  const { id: chatId } = readChat(sql);
  for (const charge of unknownCharges(sql, chatId)) resolveCharge(sql, charge, charge.estimateMicros);
  for (const payerId of payerIds(sql)) {
    const charges = chargesOf(sql, payerId, chatId);
    for (const charge of charges) await hubOf(env, payerId).charge(charge, charge.callId);
    dropCharges(sql, charges);
  }
}
