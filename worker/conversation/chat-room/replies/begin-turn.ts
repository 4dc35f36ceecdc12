import { applySettings, NO_SETTINGS, type ChatSettings } from "#shared/entities/chat-settings.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { levelOf, refuse, NOT_FOUND } from "../access/access.ts";
import { refuseSources } from "../access/refuse-sources.ts";
import { createChat, hasChat, readSettings } from "../chat.ts";
import type { Outbox, Target } from "../outbox.ts";
import { TURN_ACTIONS, generationOf, planTurn, type TurnPlan } from "./plan-turn.ts";
import { releaseTurn, type ReservedTurn, reserveTurn } from "./reserve-turn.ts";
import { limitToMailSources } from "#worker/conversation/chat-room/mails/mail-sources.ts";
import { removeItem } from "../queue/queue-items.ts";
import type { ChatUpdate } from "#worker/conversation/room/rpc.ts";
import type { TurnFeatures } from "#worker/conversation/features.ts";
import { type BegunTurn, type TurnRequest, reliesOnSession } from "#worker/conversation/turn/request.ts";
import { gatherContext } from "#worker/conversation/turn/context.ts";
import type { Contribution } from "#worker/conversation/turn/contribution.ts";
import type { Question } from "#worker/library/contribution.ts";
import type { SentMemory } from "#worker/library/memories/rpc.ts";
import { shownCitations } from "#worker/conversation/chat-room/messages/message-row.ts";
import { messagesUpTo } from "#worker/conversation/chat-room/messages/messages.ts";
import { joinSources, sourcesUpTo } from "#worker/conversation/chat-room/messages/numbered-sources.ts";
import type { TurnRunner } from "./turn-runner.ts";
import { dropStaged } from "../copies/staged-copy.ts";
import { storeTurn } from "./turn-store.ts";

type Deps = {
  env: Env;
  features: TurnFeatures;
  ctx: DurableObjectState;
  outbox: Outbox;
  turns: Pick<TurnRunner, "start">;
  readers: () => Target[];
  /** Notes that a stream of the reply is held for this user. */
  hold(replyId: string, userId: string): void;
  /** Sees to it that the room wakes while a turn is under way. */
  watch(): Promise<void>;
  /** True once the chat is deleted and its storage goes or is gone. */
  isDeleted(): boolean;
};

/** True for what nobody typed. */
function isTriggered(request: TurnRequest): boolean {
  return request.kind === "send" && (request.asksAlways === true || request.mail !== undefined);
}

async function uncount(env: Env, request: TurnRequest): Promise<void> {
  try {
    await releaseTurn(env, request, { replyId: request.replyId, generation: 0 });
  } catch (cause) {
    log.warn("a turn that did not begin counts for the rest of the day", { cause });
  }
}

/** Begins a turn, and creates the chat with its first message; a message that waited for it leaves the queue in the same moment. */
export async function beginTurn(
  { env, features, ctx, outbox, turns, readers, hold, watch, isDeleted }: Deps,
  asked: TurnRequest,
  { isFollowed }: { isFollowed: boolean },
): Promise<Outcome<BegunTurn>> {
  const { sql } = ctx.storage;
  const request = hasChat(sql) ? limitToMailSources(sql, asked) : asked;
  const create = request.kind === "send" ? request.create : null;
  const isOwnNewChat = !hasChat(sql) && create?.ownerId === request.reader.userId;
  const { userId } = request.reader;
  const refused = isOwnNewChat
    ? null
    : (refuse(levelOf(sql, userId), TURN_ACTIONS[request.kind]) ?? (await refuseSources(env, sql, { userId, change: request.settings })));
  if (refused) return refused;
  const before = hasChat(sql) ? readSettings(sql) : (create?.settings ?? NO_SETTINGS);
  const settings = applySettings(before, { ...request.settings, ...request.once });
  const paid = await planPaidTurn(env, sql, { features, request, settings, isDeleted: isDeleted, isFollowed });
  if (!paid.ok) {
    // It was counted against a day's budget before it was known whether it begins.
    if (isTriggered(request)) await uncount(env, request);
    return paid;
  }
  const { plan, context, held } = paid.value;
  if (plan.kind === "repeat" || held === null) return { ok: true, value: { messageId: plan.messageId, replyId: plan.replyId } };
  const { messageId, replyId } = plan;
  const turn = ctx.storage.transactionSync(() => {
    if (create && !hasChat(sql)) {
      dropStaged(sql);
      createChat(sql, request.chatId, create);
    }
    const updates: ChatUpdate[] = [{ type: "reply.started", messageId, replyId }];
    if (request.kind === "send" && removeItem(sql, request.id)) updates.push({ type: "queue.changed" });
    // What begins of it later has no session behind it.
    const stored = storeTurn(sql, { plan, request: { ...request, session: undefined }, context, reservedTurn: held });
    // The turn's end reports the same again, and a turn that is stored ends whatever happens.
    outbox.mark(readers(), { updates, changes: stored.changes, isPassing: true });
    return stored.turn;
  });
  if (held.hasPlace) hold(replyId, request.reader.userId);
  await watch();
  turns.start(turn);
  ctx.waitUntil(outbox.deliver());
  const speaksAs = plan.kind === "reply" && context.persona ? { persona: context.persona.name } : {};
  const lookup = context.look ? { knowledge: context.look } : {};
  return { ok: true, value: { messageId, replyId, ...speaksAs, ...lookup } };
}

/** What a turn will write, what it gives its model, and what is reserved for it; null for one that is there. */
type PaidPlan = { plan: TurnPlan; context: Contribution; held: ReservedTurn | null };

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
async function planPaidTurn(
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
  const before = path
    .slice(-BEFORE)
    .map(({ role, content }) => ({ role: role === "user" ? ("user" as const) : ("assistant" as const), text: content }));
  return { text: asked, before, cited };
}
