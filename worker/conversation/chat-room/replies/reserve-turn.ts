import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import { reserveForGuest, releaseForGuest } from "#worker/conversation/credits/guest-spending.ts";
import { costWith, leastCost, longestAnswer, type Priced } from "#worker/platform/spending/longest-answer.ts";
import { CHARACTERS_PER_TOKEN, fromMicros, toMicros } from "#worker/platform/spending/money.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { Contribution } from "#worker/conversation/turn/contribution.ts";
import { plannedLength, planParts } from "#worker/library/attachments/plan-parts.ts";
import { type RoomFile, sentFiles } from "#worker/library/attachments/room-file.ts";
import { toolsLength } from "#worker/conversation/turn/cost.ts";
import { systemPrompt } from "#worker/conversation/turn/prompt.ts";
import { strategyOf } from "#worker/conversation/turn/strategy.ts";
import { modelAtPrice, reliesOnSession, type TurnRequest } from "#worker/conversation/turn/request.ts";
import { unreportedMicros } from "../charges/charges.ts";
import { teamOf } from "../chat.ts";
import { holdGenerationOf } from "#worker/conversation/room/rpc.ts";
import type { TurnPlan } from "./plan-turn.ts";
import { readsMemory } from "#worker/library/memories/use-memory.ts";
import type { CallInput, Hold, Longest } from "#worker/platform/spending/holds.ts";
import type { Reserved } from "#worker/conversation/hub/rpc.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { openToolbox, toDefinition } from "#worker/conversation/turn/toolbox.ts";

type Reserving = Asked & { hold: Hold; isFollowed: boolean };
type Asked = {
  tools: readonly Tool[];
  request: TurnRequest;
  settings: ChatSettings;
  plan: Exclude<TurnPlan, { kind: "repeat" }>;
  context: Contribution;
};

/** Who pays for a turn, and its chat. */
type Payer = Pick<TurnRequest, "reader" | "chatId">;

/** What is reserved for a turn: also what its calls to models may cost together where they have no holds of their own, and whether its first answer might be longer if there were more. */
export type ReservedTurn = Reserved & { reservedMicros: number; isBound: boolean };

/**
 * Asks the payer's hub to reserve what a turn may cost, and answers how long its first answer may be, whether a stream of its reply is held too, and the
 * memory that goes along. The house pays for guests, whose hubs are not asked.
 */
export async function reserveTurn(env: Env, sql: SqlStorage, { hold, isFollowed, ...asked }: Reserving): Promise<Outcome<ReservedTurn>> {
  const { reader } = asked.request;
  const priced = priceTurn(sql, asked);
  if (reader.anonymous) {
    const reservedByHouse = await reserveForGuest(env, { ...hold, ...priced, chatId: asked.request.chatId });
    if (!reservedByHouse.ok) return reservedByHouse;
    return { ok: true, value: toReservedTurn({ hasPlace: true, memory: null, isSessionLive: false, ...reservedByHouse.value }, priced) };
  }
  const { request } = asked;
  const budgetMicros = budgetOf(request);
  const amountMicros = leastCost(priced);
  if (budgetMicros !== null && amountMicros > budgetMicros) return refuseForRun(budgetMicros, amountMicros);
  // A chat that begins with this turn has no row yet.
  const teamId = teamOf(sql) ?? (request.kind === "send" ? (request.create?.teamId ?? null) : null);
  try {
    const reserved = await hubOf(env, reader.userId).reserve({
      ...hold,
      ...withinBudget(budgetMicros, priced),
      chatId: request.chatId,
      isFollowed,
      teamId,
      ...(request.session && { session: { id: reader.sessionId, ...request.session } }),
      ...memoryOf(asked),
    });
    if (!reserved.ok) return reserved;
    if (reliesOnSession(request) && !reserved.value.isSessionLive) {
      await releaseTurn(env, request, hold);
      return { ok: false, code: "UNAUTHENTICATED" };
    }
    return { ok: true, value: toReservedTurn(reserved.value, priced) };
  } catch (cause) {
    log.error("credits could not be checked", { cause });
    return { ok: false, code: "USAGE_CHECK_FAILED" };
  }
}

function toReservedTurn(reserved: Reserved, priced: Priced): ReservedTurn {
  const { maxTokens } = reserved;
  const isBound = maxTokens !== null && maxTokens < (priced.answer?.maxTokens ?? Number.POSITIVE_INFINITY);
  return { ...reserved, reservedMicros: costWith(priced, maxTokens), isBound };
}

/** What all of a turn may cost by its schedule, in micro-dollars; null where nothing says so. */
export function budgetOf(request: TurnRequest): number | null {
  return (request.kind === "send" ? request.schedule?.budgetMicros : null) ?? null;
}

/** The same call with no longer an answer than a budget allows, null for none. */
export function withinBudget(budgetMicros: number | null, priced: Priced): Priced {
  if (budgetMicros === null || !priced.answer) return priced;
  return { ...priced, answer: { ...priced.answer, maxTokens: longestAnswer(budgetMicros, priced) } };
}

/** Why a schedule's turn isn't begun: it may cost more than one run of it may. */
function refuseForRun(budgetMicros: number, amountMicros: number): Outcome<never> {
  const [budget, amount] = [budgetMicros, amountMicros].map((micros) => fromMicros(micros).toFixed(4));
  const message = `One run of this schedule may cost $${budget}, and the answer may cost about $${amount}. Raise its budget or pick a cheaper model.`;
  return { ok: false, code: "TRIGGERED_BUDGET", message };
}

/** Whether memory is to go along, and what a token of it costs, in micro-dollars. */
function memoryOf({ request, settings }: Pick<Asked, "request" | "settings">): { memoryAt?: number } {
  return readsMemory(request, settings) ? { memoryAt: toMicros(request.model.promptPrice ?? 0) } : {};
}

/** Asks the payer's hub to reserve what a call for the chat itself may cost, until it is charged; `replyId` is the reply that caused it. */
export async function reserveForChat(
  env: Env,
  sql: SqlStorage,
  { payer, replyId, callId, priced }: { payer: Payer; replyId: string; callId: string; priced: Priced },
): Promise<Outcome<Longest>> {
  return reserveFor(env, payer, { replyId: callId, generation: 0, ...priced, teamId: teamOf(sql), causedBy: replyId });
}

/** Asks the payer's hub to reserve what a call that a tool makes may cost, until it is charged or its reply ends. */
export async function reserveCall(
  env: Env,
  sql: SqlStorage,
  { payer, replyId, callId, priced }: { payer: Payer; replyId: string; callId: string; priced: Priced },
): Promise<Outcome<Longest>> {
  return reserveFor(env, payer, { replyId, generation: holdGenerationOf(callId), ...priced, teamId: teamOf(sql) });
}

/** Asks the payer's hub to reserve what a further round of a reply may cost, beside what the chat has not reported yet. */
export async function reserveRound(
  env: Env,
  sql: SqlStorage,
  { payer, replyId, generation, priced }: { payer: Payer; replyId: string; generation: number; priced: Priced },
): Promise<Outcome<Longest>> {
  const round = { spentMicros: unreportedMicros(sql, payer.reader.userId) };
  return reserveFor(env, payer, { replyId, generation, ...priced, teamId: teamOf(sql), round });
}

async function reserveFor(env: Env, { reader, chatId }: Payer, input: CallInput): Promise<Outcome<Longest>> {
  if (reader.anonymous) return reserveForGuest(env, { ...input, chatId });
  try {
    return await hubOf(env, reader.userId).reserveCall(input);
  } catch (cause) {
    log.error("credits could not be checked", { cause });
    return { ok: false, code: "USAGE_CHECK_FAILED" };
  }
}

/** Gives back what was reserved for a turn that did not begin. */
export async function releaseTurn(env: Env, { reader, chatId }: Payer, hold: Hold): Promise<void> {
  if (reader.anonymous) await releaseForGuest(env, { chatId, replyId: hold.replyId });
  else await hubOf(env, reader.userId).release(hold);
}

function priceTurn(sql: SqlStorage, { tools: all, request, plan, context }: Asked): Priced {
  const user = plan.kind === "reply" ? plan.user : null;
  const end = plan.kind === "continue" ? plan.replyId : user ? user.parentId : plan.messageId;
  const known = end === null ? NOTHING : readPath(sql, end);
  const own = systemPrompt([], context.tools.length > 0).length;
  const instructions = context.sections.reduce((length, { text }) => length + text.length, own);
  const added = user && user.files.length > 0 ? [{ id: request.replyId, files: user.files }] : [];
  const carried = [...planParts([...known.carried, ...added], request.model).values()].flat();
  const files = carried.reduce((length, part) => length + plannedLength(part), 0);
  const strategy = strategyOf(request);
  const tools = strategy.ownTools ? 0 : toolsLength(openToolbox(all, context.tools, context.connected).tools.map(toDefinition));
  const characters = instructions + tools + known.n + (user?.content.length ?? 0) + files;
  const tokens = Math.min(characters / CHARACTERS_PER_TOKEN, request.model.contextLength ?? Number.POSITIVE_INFINITY);
  return strategy.price({ model: modelAtPrice(request) }, { tokens, pictures: carried.filter(({ as }) => as === "image").length });
}

/** A path's end, the characters of its messages, and those of them that carry files, in reading order. */
type Counted = { id: string; n: number; carried: { id: string; files: RoomFile[] }[] };

const NOTHING: Counted = { id: "", n: 0, carried: [] };

/** The path that was counted last, to the message before its leaf: what something follows changes no more, so a turn reads what was added. */
const counted = new WeakMap<SqlStorage, Counted>();

/** What stands on the path to a message. */
function readPath(sql: SqlStorage, leafId: string): Counted {
  const before = counted.get(sql);
  const known = before && before.id !== leafId ? before : NOTHING;
  const rows = sql
    .exec<PathPlace>(
      `WITH RECURSIVE path(id, parent_id, n, attachments) AS (
         SELECT m.id, m.parent_id, length(m.content) + COALESCE(length(m.context), 0), m.attachments FROM messages m WHERE m.id = ?1
         UNION ALL SELECT m.id, m.parent_id, CASE m.id WHEN ?2 THEN ?3 ELSE length(m.content) + COALESCE(length(m.context), 0) END, CASE m.id WHEN ?2 THEN NULL ELSE m.attachments END
         FROM messages m JOIN path ON m.id = path.parent_id WHERE path.id <> ?2
       )
       SELECT id, n, attachments FROM path`,
      leafId,
      known.id,
      known.n,
    )
    .toArray();
  const [leaf, ...above] = rows;
  if (!leaf) return NOTHING;
  const n = above.reduce((sum, message) => sum + message.n, 0);
  const carried = [...(rows.at(-1)?.id === known.id ? known.carried : []), ...carriedBy(above)];
  if (above[0]) counted.set(sql, { id: above[0].id, n, carried });
  return { id: leaf.id, n: n + leaf.n, carried: [...carried, ...carriedBy([leaf])] };
}

type PathPlace = { id: string; n: number; attachments: string | null };

function carriedBy(upwards: readonly PathPlace[]): Counted["carried"] {
  const carrying = upwards.filter(({ attachments }) => attachments !== null).toReversed();
  return carrying.map(({ id, attachments }) => ({ id, files: sentFiles(attachments) }));
}
