import type { CompletionUsage } from "#worker/platform/clients/completion-chunks.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { noteCharge, tokensOf } from "../charges/charges.ts";
import { setTitle, teamOf } from "../chat.ts";
import { messagesUpTo } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import type { Charge } from "#worker/platform/spending/holds.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { makeTitle } from "#worker/conversation/turn/title.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { reserveForChat, releaseTurn } from "./reserve-turn.ts";

/** What a title is reserved for, in micro-dollars: some 1,200 tokens of a cheap model. */
const TITLE_MICROS = 500;

/** Titles a chat after its first answered exchange; false when it has one or none could be made, which leaves the provisional one. */
export async function titleChat(env: Env, sql: SqlStorage, turn: StoredTurn): Promise<boolean> {
  const { request, replyId } = turn;
  const { source, head } = sql
    .exec<{ source: string; head: string | null }>("SELECT title_source AS source, head_id AS head FROM chat")
    .one();
  if (source !== "provisional" || head === null || request.titleModel === null) return false;
  const [question, answer] = messagesUpTo(sql, head, 2);
  if (!question || !answer || answer.content === "") return false;
  const callId = `title:${crypto.randomUUID()}`;
  const teamId = teamOf(sql);
  const reservation = await reserveForChat(env, sql, { payer: request, replyId, callId, priced: { amountMicros: TITLE_MICROS } });
  if (!reservation.ok) return false;
  let isCharged = false;
  try {
    const { title, usage } = await makeTitle(env, { model: request.titleModel, question: question.content, answer: answer.content });
    const charge = usage && chargeOf(turn, { callId, usage, model: request.titleModel, teamId });
    if (!isCreated(sql)) {
      // The chat was deleted meanwhile, and its storage with it: the title is paid all the same.
      if (charge) await hubOf(env, request.reader.userId).charge(charge, callId);
      isCharged = charge !== null;
      return false;
    }
    if (charge) storeCharge(sql, charge, request.reader.userId);
    isCharged = charge !== null;
    return title !== "" && setTitle(sql, title, "model");
  } catch (cause) {
    // The provisional title stays; the next answer tries again.
    log.warn("no title made", { cause });
    return false;
  } finally {
    if (!isCharged) await releaseTurn(env, request, { replyId: callId, generation: 0 });
  }
}

type Titled = { callId: string; usage: CompletionUsage; model: string; teamId: string | null };

/** The title's call, paid by whoever's turn it follows; without a reported cost it is taken for free, as cheap as it is. */
function chargeOf({ request, replyId }: StoredTurn, { callId, usage, model, teamId }: Titled): Charge {
  return {
    callId,
    replyId,
    chatId: request.chatId,
    what: "title",
    modelId: model,
    amountMicros: toMicros(usage.cost ?? 0),
    isHouse: request.reader.anonymous,
    teamId,
    tokens: tokensOf(usage),
  };
}

function storeCharge(sql: SqlStorage, charge: Charge, payerId: string): void {
  sql.exec("UPDATE chat SET cost_micros = cost_micros + ?", charge.amountMicros);
  noteCharge(sql, { ...charge, tokens: charge.tokens ?? 0, payerId, estimateMicros: 0, generationId: null });
}
