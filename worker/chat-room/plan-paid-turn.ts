import type { Env } from "../env.ts";
import type { Outcome } from "../http/app-error.ts";
import { planTurn, type TurnPlan } from "./plan-turn.ts";
import { releaseTurn, reserveTurn } from "./reserve-turn.ts";
import type { TurnRequest } from "./rpc.ts";

/** Decides what a request means and holds back what it may cost; what is refused or a repetition holds back nothing. */
export async function planPaidTurn(env: Env, sql: SqlStorage, request: TurnRequest): Promise<Outcome<TurnPlan>> {
  const wanted = planTurn(sql, request);
  if (!wanted.ok || wanted.value.kind === "repeat") return wanted;
  const files = (wanted.value.kind === "reply" && wanted.value.user?.files) || [];
  const reserved = await reserveTurn(env, sql, { request, replyId: wanted.value.replyId, files });
  if (!reserved.ok) return reserved;
  // Another turn may have begun while the ledger was asked.
  const plan = planTurn(sql, request);
  if (!plan.ok || plan.value.kind === "repeat") await releaseTurn(env, request.reader, wanted.value.replyId);
  return plan;
}
