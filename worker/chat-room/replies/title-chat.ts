import type { CompletionUsage } from "#worker/clients/completion-chunks.ts";
import { toMicros } from "#worker/credits/money.ts";
import type { Env } from "#worker/env.ts";
import { log } from "#worker/log.ts";
import { noteCharge, tokensOf } from "../charges/charges.ts";
import { setTitle } from "../chat.ts";
import { pathTo } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import type { TurnRequest } from "#worker/turn/request.ts";
import { makeTitle } from "#worker/turn/title.ts";

/** Titles a chat after its first answered exchange; false when it has one or none could be made, which leaves the provisional one. */
export async function titleChat(env: Env, sql: SqlStorage, request: TurnRequest): Promise<boolean> {
  const { source, head } = sql
    .exec<{ source: string; head: string | null }>("SELECT title_source AS source, head_id AS head FROM chat")
    .one();
  if (source !== "provisional" || head === null || request.titleModel === null) return false;
  const [question, answer] = pathTo(sql, head, 2);
  if (!question || !answer || answer.content === "") return false;
  try {
    const { title, usage } = await makeTitle(env, { model: request.titleModel, question: question.content, answer: answer.content });
    if (!isCreated(sql)) return false;
    if (usage) chargeTitle(sql, { usage, model: request.titleModel, replyId: answer.id, request });
    return title !== "" && setTitle(sql, title, "model");
  } catch (cause) {
    // The provisional title stays; the next answer tries again.
    log.warn("no title made", { cause });
    return false;
  }
}

/** The title's call, paid by whoever's turn it follows; without a reported cost it is taken for free, as cheap as it is. */
function chargeTitle(
  sql: SqlStorage,
  { usage, model, replyId, request }: { usage: CompletionUsage; model: string; replyId: string; request: TurnRequest },
): void {
  const amountMicros = toMicros(usage.cost ?? 0);
  sql.exec("UPDATE chat SET cost_micros = cost_micros + ?", amountMicros);
  noteCharge(sql, {
    callId: `title:${crypto.randomUUID()}`,
    payerId: request.reader.userId,
    replyId,
    what: "title",
    modelId: model,
    amountMicros,
    estimateMicros: 0,
    generationId: null,
    isHouse: request.reader.anonymous,
    tokens: tokensOf(usage),
  });
}
