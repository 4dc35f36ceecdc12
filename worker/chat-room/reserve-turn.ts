import { CHARACTERS_PER_TOKEN, computeCostMicros, toMicros } from "../credits/money.ts";
import type { Env } from "../env.ts";
import type { Outcome } from "../http/app-error.ts";
import { log } from "../http/log.ts";
import { hubOf } from "../user-hub/stub.ts";
import { leafOf } from "./messages.ts";
import type { Reader, TurnRequest } from "./rpc.ts";

/** An answer is taken to have this many tokens, and a turn to cost at least this many dollars (decisions, Money). */
const ASSUMED_OUTPUT_TOKENS = 1_000;
const LEAST_DOLLARS = 0.0001;

/** Asks the payer's hub to hold back what a turn may cost. The house pays for guests, who are not asked. */
export async function reserveTurn(
  env: Env,
  sql: SqlStorage,
  { request, replyId }: { request: TurnRequest; replyId: string },
): Promise<Outcome<null>> {
  const { reader } = request;
  if (reader.anonymous) return { ok: true, value: null };
  const amountMicros = estimateTurn(sql, request);
  try {
    return await hubOf(env, reader.userId).reserve({ replyId, amountMicros });
  } catch (cause) {
    log.error("credits could not be checked", { cause });
    return { ok: false, code: "USAGE_CHECK_FAILED" };
  }
}

/** Gives back what was held for a turn that did not begin. */
export async function releaseTurn(env: Env, reader: Reader, replyId: string): Promise<void> {
  if (!reader.anonymous) await hubOf(env, reader.userId).release(replyId);
}

function estimateTurn(sql: SqlStorage, request: TurnRequest): number {
  const leaf = leafOf(sql, request.reader.userId);
  const known = leaf === null ? 0 : pathLength(sql, leaf);
  const added = "content" in request ? request.content.length : 0;
  const { promptPrice, completionPrice } = request.model;
  const tokens = { prompt: (known + added) / CHARACTERS_PER_TOKEN, completion: ASSUMED_OUTPUT_TOKENS };
  return Math.max(computeCostMicros(tokens, { prompt: promptPrice, completion: completionPrice }) ?? 0, toMicros(LEAST_DOLLARS));
}

/** Characters on the path to a message. */
function pathLength(sql: SqlStorage, leafId: string): number {
  return sql
    .exec<{ n: number }>(
      `WITH RECURSIVE path(id, parent_id, n) AS (
         SELECT id, parent_id, length(content) FROM messages WHERE id = ?
         UNION ALL SELECT m.id, m.parent_id, length(m.content) FROM messages m JOIN path ON m.id = path.parent_id
       )
       SELECT COALESCE(SUM(n), 0) AS n FROM path`,
      leafId,
    )
    .one().n;
}
