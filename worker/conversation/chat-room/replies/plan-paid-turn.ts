import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { gatherContext } from "#worker/conversation/turn/context.ts";
import type { TurnFeatures } from "#worker/conversation/features.ts";
import type { Contribution } from "#worker/conversation/turn/contribution.ts";
import type { Question } from "#worker/library/contribution.ts";
import { reliesOnSession, type TurnRequest } from "#worker/conversation/turn/request.ts";
import type { SentMemory } from "#worker/library/memories/rpc.ts";
import { NOT_FOUND } from "../access/access.ts";
import { shownCitations } from "../messages/message-row.ts";
import { messagesUpTo } from "../messages/messages.ts";
import { joinSources, sourcesUpTo } from "../messages/numbered-sources.ts";
import { generationOf, planTurn, type TurnPlan } from "./plan-turn.ts";
import { type ReservedTurn, releaseTurn, reserveTurn } from "./reserve-turn.ts";

/** What a turn will write, what it gives its model, and what is reserved for it; null for one that is there. */
export type PaidPlan = { plan: TurnPlan; context: Contribution; held: ReservedTurn | null };

type Wanted = { features: TurnFeatures; request: TurnRequest; settings: ChatSettings; isDeleted: () => boolean; isFollowed: boolean };

const NOTHING: Contribution = {
  sections: [],
  tools: [],
  connected: [],
  persona: null,
  memoryIds: [],
  knowledgeIds: [],
  look: null,
  citations: [],
};

/** Decides what a request means and reserves what it may cost; what is refused or a repetition reserves nothing. */
export async function planPaidTurn(
  env: Env,
  sql: SqlStorage,
  { features, request, settings, isDeleted, isFollowed }: Wanted,
): Promise<Outcome<PaidPlan>> {
  const wanted = planTurn(sql, request);
  if (!wanted.ok) return wanted;
  if (wanted.value.kind === "repeat") {
    // The hub is not asked, and what was answered is not for a session that ended.
    if (reliesOnSession(request)) return { ok: false, code: "UNAUTHENTICATED" };
    // It was counted against its key's budget before anybody knew that it asks nothing new.
    const isCounted = request.kind === "send" && request.isByKey === true && request.replyId !== wanted.value.replyId;
    if (isCounted) await releaseTurn(env, request, { replyId: request.replyId, generation: 0 });
    return { ok: true, value: { plan: wanted.value, context: NOTHING, held: null } };
  }
  // Knowledge is looked through before the hub is asked, and that costs.
  if (reliesOnSession(request) && settings.context_ids.length > 0) return { ok: false, code: "UNAUTHENTICATED" };
  const toWrite = wanted.value;
  const context = await gatherContext(features.contributors, {
    env,
    request,
    settings,
    question: () => questionOf(sql, toWrite, request.reader.userId),
  });
  const hold = { replyId: wanted.value.replyId, generation: generationOf(wanted.value) };
  const reserved = await reserveTurn(env, sql, { tools: features.tools, request, settings, plan: wanted.value, context, hold, isFollowed });
  if (!reserved.ok) return reserved;
  // Another turn may have begun while the ledger was asked; this same one, asked for twice at once, keeps what is reserved for it.
  const plan = isDeleted() ? NOT_FOUND : planTurn(sql, request);
  const isLeft = !plan.ok || (plan.value.kind === "repeat" && plan.value.replyId !== hold.replyId);
  if (isLeft) await releaseTurn(env, request, hold);
  return plan.ok
    ? { ok: true, value: { plan: plan.value, context: withMemory(context, reserved.value.memory), held: reserved.value } }
    : plan;
}

/** What goes along of the payer's memory is part of the system prompt. */
function withMemory(context: Contribution, memory: SentMemory | null): Contribution {
  if (!memory) return context;
  const { text, ids, isUntrusted } = memory;
  return { ...context, sections: [...context.sections, { kind: "memory", text, isUntrusted }], memoryIds: ids };
}

/** The messages before a question that may say what it leans on. */
const BEFORE = 4;

function questionOf(sql: SqlStorage, plan: Exclude<TurnPlan, { kind: "repeat" }>, readerId: string): Question {
  const user = plan.kind === "reply" ? plan.user : null;
  const leaf = user ? user.parentId : plan.messageId;
  const own = plan.kind === "continue" ? shownCitations(plan.reply, readerId) : [];
  const cited = joinSources([leaf === null ? [] : sourcesUpTo(sql, leaf, readerId), own]);
  const path = leaf === null ? [] : messagesUpTo(sql, leaf, BEFORE + 1);
  const asked = user ? user.content : (path.pop()?.content ?? "");
  const said = path
    .slice(-BEFORE)
    .map(({ role, content }) => ({ role: role === "user" ? ("user" as const) : ("assistant" as const), text: content }));
  return { text: asked, before: said, cited };
}
