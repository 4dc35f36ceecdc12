import { askWithRetry } from "#worker/platform/durable-objects.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Env } from "#worker/platform/env.ts";
import { csvLine } from "./csv.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { LedgerEntry } from "#worker/people/hub/rpc.ts";

const ROWS_AT_ONCE = 500;
/** The first line of a ledger as CSV. */
export const LEDGER_HEADER = "time,what,model,chat,message,amount_usd,balance_usd,paid_by\r\n";

/** The whole ledger as CSV (RFC 4180), newest first, a page at a time. */
export function streamLedger(env: Env, userId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let before = Number.MAX_SAFE_INTEGER;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(LEDGER_HEADER)),
    async pull(controller) {
      const entries = await askWithRetry(() => hubOf(env, userId).ledger({ before, limit: ROWS_AT_ONCE }));
      if (entries.length > 0) controller.enqueue(encoder.encode(entries.map(ledgerLine).join("")));
      if (entries.length < ROWS_AT_ONCE) controller.close();
      else before = entries.at(-1)?.seq ?? 0;
    },
  });
}

/** An entry of a ledger as a line of CSV. */
export function ledgerLine(entry: LedgerEntry): string {
  const cells = [
    entry.at,
    entry.what,
    entry.model_id ?? "",
    entry.chat_id ?? "",
    entry.message_id ?? "",
    fromMicros(entry.amount_micros).toFixed(6),
    fromMicros(entry.balance_micros).toFixed(6),
    entry.is_house === 1 ? "house" : "self",
  ];
  return csvLine(cells);
}
