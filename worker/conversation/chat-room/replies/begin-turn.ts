import { applySettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { levelOf, refuse } from "../access/access.ts";
import { refuseSources } from "../access/refuse-sources.ts";
import { createChat, hasChat, readSettings } from "../chat.ts";
import type { Outbox, Target } from "../outbox.ts";
import { planPaidTurn } from "./plan-paid-turn.ts";
import { TURN_ACTIONS } from "./plan-turn.ts";
import { releaseTurn } from "./reserve-turn.ts";
import { limitToMailSources } from "#worker/conversation/chat-room/mails/mail-sources.ts";
import { removeItem } from "../queue/queue-items.ts";
import type { ChatUpdate } from "#worker/conversation/room/rpc.ts";
import type { TurnFeatures } from "#worker/conversation/features.ts";
import type { BegunTurn, TurnRequest } from "#worker/conversation/turn/request.ts";
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
