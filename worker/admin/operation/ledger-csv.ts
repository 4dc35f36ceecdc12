import { fromMicros } from "../../credits/money.ts";
import type { Database } from "../../db/client.ts";
import { csvLine } from "../../usage/csv.ts";
import { type LedgerLine, selectLedger } from "./queries.ts";

const ROWS_AT_ONCE = 1_000;
const HEADER = "day,person,email,team,model,calls,tokens,amount_usd\r\n";

/** Everybody's closed days as CSV (RFC 4180), of all time or of a month, the newest day first and a page at a time. */
export function streamSpending(db: Database, { month }: { month?: string | undefined }): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const days = month === undefined ? { from: "", until: "9" } : { from: `${month}-01`, until: `${month}-99` };
  let after: LedgerLine | null = null;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(HEADER)),
    async pull(controller) {
      const lines = await selectLedger(db, { ...days, after, limit: ROWS_AT_ONCE });
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.map(toLine).join("")));
      if (lines.length < ROWS_AT_ONCE) controller.close();
      else after = lines.at(-1) ?? null;
    },
  });
}

/** Whoever's account is gone has no name any more; what belongs to no team names none. */
function toLine({ day, user_id: id, name, email, team_id: teamId, team, model_id: model, calls, tokens, cost_micros: micros }: LedgerLine) {
  const cells = [day, name ?? id, email ?? "", team ?? teamId, model, String(calls), String(tokens), fromMicros(micros).toFixed(6)];
  return csvLine(cells);
}
