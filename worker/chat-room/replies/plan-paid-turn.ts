import type { Env } from "#worker/env.ts";
import type { Outcome } from "#worker/app-error.ts";
import { NOT_FOUND } from "../access/access.ts";
import { generationOf, planTurn, type TurnPlan } from "./plan-turn.ts";
import { releaseTurn, reserveTurn } from "./reserve-turn.ts";
import type { TurnRequest } from "#worker/turn/request.ts";

/** Decides what a request means and holds back what it may cost; what is refused or a repetition holds back nothing. */
export async function planPaidTurn(
  env: Env,
  sql: SqlStorage,
  { request, isGone }: { request: TurnRequest; isGone: () => boolean },
): Promise<Outcome<TurnPlan>> {
  const wanted = planTurn(sql, request);
  if (!wanted.ok || wanted.value.kind === "repeat") return wanted;
  const files = (wanted.value.kind === "reply" && wanted.value.user?.files) || [];
  const hold = { replyId: wanted.value.replyId, generation: generationOf(wanted.value) };
  const reserved = await reserveTurn(env, sql, { request, hold, files });
  if (!reserved.ok) return reserved;
  // Another turn may have begun while the ledger was asked; this same one, asked for twice at once, keeps what is held for it.
  const plan = isGone() ? NOT_FOUND : planTurn(sql, request);
  const isLeft = !plan.ok || (plan.value.kind === "repeat" && plan.value.replyId !== hold.replyId);
  if (isLeft) await releaseTurn(env, request.reader, hold);
  return plan;
}
