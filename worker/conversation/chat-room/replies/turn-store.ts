import { applySettings } from "#shared/entities/chat-settings.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import type { Citation, MessageUsage } from "#shared/entities/message.ts";
import { isNothingToReport } from "#worker/conversation/schedules/nothing-to-report.ts";
import { markUsed } from "../messages/attachments.ts";
import { amountOf, noteCharge, spentOnReply, tokensOf } from "../charges/charges.ts";
import { addActivity, type ChatChanges, lastMessage, ownerOf, readSettings, setTitle } from "../chat.ts";
import type { Section } from "#worker/library/contribution.ts";
import type { Contribution } from "#worker/conversation/turn/contribution.ts";
import { containPrivate } from "#worker/conversation/turn/private-text.ts";
import { holdUntrusted, isUntrustedCitation } from "#worker/conversation/turn/untrusted-text.ts";
import { strategyOf } from "#worker/conversation/turn/strategy.ts";
import { hasMembers } from "../access/members.ts";
import type { OwnLook } from "../messages/message-row.ts";
import { markUntrusted, insertMessage, isTrustedBy, mainLeafAfter, moveReaders, selectLeaf } from "../messages/messages.ts";
import { sourcesUpTo, withoutUnused } from "../messages/numbered-sources.ts";
import { generationOf, type TurnPlan } from "./plan-turn.ts";
import type { ReservedTurn } from "./reserve-turn.ts";
import type { ReplyContent } from "#worker/conversation/turn/reply-content.ts";
import { replyCallId } from "#worker/conversation/room/rpc.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import type { StoredCall, StoredRound } from "#worker/conversation/turn/round.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { citationsOf } from "#worker/conversation/turn/path.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";
import { sectionsToStore, storedSections, type UsedMemory } from "#worker/conversation/turn/question-context.ts";
import { provisionalTitle } from "#worker/conversation/turn/title.ts";
import { readRounds, usageOfCalls } from "../messages/tool-rounds.ts";
import type { TurnResult } from "#worker/conversation/turn/turn.ts";

type NewTurn = {
  plan: Exclude<TurnPlan, { kind: "repeat" }>;
  request: TurnRequest;
  context: Contribution;
  reservedTurn: Pick<ReservedTurn, "reservedMicros" | "maxTokens" | "isBound">;
};

/** Writes a planned turn's messages and the readers' places; answers the turn and what changes of the chat, for the caller to write in the same transaction. */
export function storeTurn(sql: SqlStorage, { plan, request, context, reservedTurn }: NewTurn): { turn: StoredTurn; changes: ChatChanges } {
  const at = new Date().toISOString();
  const { reader } = request;
  if (plan.kind === "reply") storeReply(sql, { plan, request, context, at });
  else continueReply(sql, plan.replyId, context, request.reader.userId);
  const sections = plan.kind === "continue" ? withStoredSections(sql, plan.replyId, context.sections) : context.sections;
  const turn = {
    replyId: plan.replyId,
    generation: generationOf(plan),
    attempts: 1,
    request,
    sections,
    tools: context.tools,
    connected: context.connected,
    persona: context.persona,
    contextIds: context.knowledgeIds,
    memoryIds: context.memoryIds,
    hold: {
      micros: reservedTurn.reservedMicros,
      maxTokens: reservedTurn.maxTokens,
      isBound: reservedTurn.isBound,
      spentBefore: spentOnReply(sql, plan.replyId),
    },
    startedAt: Date.parse(at),
    workedMs: plan.kind === "continue" ? (plan.reply.worked_ms ?? 0) : 0,
    ended: 0,
    wasResumed: false,
    isWaiting: false,
  };
  const user = plan.kind === "reply" ? plan.user : null;
  const mail = request.kind === "send" ? (request.mail ?? null) : null;
  const isTriggered = mail !== null || (request.kind === "send" && request.messaging !== undefined);
  const shown = user && (user.content || user.files.map(({ name }) => name).join(", "));
  if (shown && user.parentId === null) setTitle(sql, provisionalTitle(shown), "provisional");
  const changes = {
    ...settingsAfter(sql, request, context),
    turn: JSON.stringify(turn),
    ...(plan.kind === "reply" && { head_id: plan.replyId, main_id: mainLeafAfter(sql, plan) }),
    ...(shown && lastMessage({ content: shown, sender: mail ? { userId: "", displayName: mail.from_name } : reader, at })),
    // Nobody has seen what comes in by itself, its payer neither.
    ...(user && addActivity(sql, isTriggered ? null : reader.userId)),
  };
  return { turn, changes };
}

function continueReply(sql: SqlStorage, replyId: string, { citations, look, sections }: Contribution, by: string): void {
  // What others' turns kept of their thinking goes back to none but theirs, and nobody else sees what they thought about their own.
  sql.exec(
    `UPDATE tool_rounds SET reasoning_details = NULL, reasoning_end = 0
       WHERE reply_id = ?1 AND EXISTS (SELECT 1 FROM messages WHERE id = ?1 AND payer_id IS NOT ?2)`,
    replyId,
    by,
  );
  sql.exec(
    `UPDATE messages SET reasoning = NULL, reasoning_ms = NULL, reasoning_details = NULL, context = NULL, used_own = 0
       WHERE id = ?1 AND payer_id IS NOT ?2 AND used_own = 1`,
    replyId,
    by,
  );
  sql.exec("UPDATE messages SET status = 'accepted', error = NULL, generation = generation + 1, payer_id = ? WHERE id = ?", by, replyId);
  // What somebody else's turn wrote before stays theirs.
  if (holdUntrusted(sections) || !isTrustedBy(sql, replyId, by)) markUntrusted(sql, replyId);
  if (!look) return;
  sql.exec(
    "UPDATE messages SET knowledge = ?, citations = ? WHERE id = ?",
    JSON.stringify({ by, ...look } satisfies OwnLook),
    JSON.stringify(citations),
    replyId,
  );
}

/** What went along with a reply's question stays, where nothing else of its kind was found for it now. */
function withStoredSections(sql: SqlStorage, replyId: string, sections: readonly Section[]): Section[] {
  const { context } = sql.exec<{ context: string | null }>("SELECT context FROM messages WHERE id = ?", replyId).one();
  const kept = storedSections(context).filter((stored) => !sections.some(({ kind }) => kind === stored.kind));
  const all = [...sections, ...kept];
  sql.exec("UPDATE messages SET context = ? WHERE id = ?", toContextColumn(all), replyId);
  return all;
}

function toContextColumn(sections: readonly Section[]): string | null {
  const kept = sectionsToStore(sections);
  return kept.length === 0 ? null : JSON.stringify(kept);
}

/**
 * What the chat is set to from now on. The persona of its owner's first turn is the chat's, the personalized one where nothing is written
 * in it yet: a later default leaves it to it.
 */
function settingsAfter(sql: SqlStorage, { settings, once, reader }: TurnRequest, { persona }: Contribution): ChatChanges {
  const before = readSettings(sql);
  const isFirst = before.persona_id === null && once.persona_id === undefined && ownerOf(sql) === reader.userId;
  const after = applySettings(before, { ...(isFirst && { persona_id: persona?.id ?? reader.userId }), ...settings });
  return JSON.stringify(after) === JSON.stringify(before) ? {} : { settings: JSON.stringify(after) };
}

function storeReply(
  sql: SqlStorage,
  { plan, request, context, at }: { plan: Extract<TurnPlan, { kind: "reply" }>; request: TurnRequest; context: Contribution; at: string },
): void {
  const { reader, model, hash, autopilot } = request;
  const { user, messageId, replyId } = plan;
  const mail = request.kind === "send" ? (request.mail ?? null) : null;
  const schedule = request.kind === "send" ? (request.schedule ?? null) : null;
  const messaging = request.kind === "send" ? (request.messaging ?? null) : null;
  if (user) {
    insertMessage(sql, {
      id: user.id,
      parent_id: user.parentId,
      role: "user",
      content: user.content,
      status: "done",
      // A mail is its sender's, whoever pays for the answer, and what was forwarded is nobody's here.
      author_id: mail || messaging?.is_forwarded ? null : reader.userId,
      author_name: mail ? mail.from_name : reader.displayName,
      mail: mail && JSON.stringify(mail),
      schedule: schedule?.id ?? null,
      // What it holds of a page is that page's, as whatever is cited is.
      citations: schedule?.page == null ? null : JSON.stringify([{ url: schedule.page, title: null }] satisfies Citation[]),
      messaging: messaging && JSON.stringify(messaging),
      request_hash: hash,
      reply_id: replyId,
      attachments: user.files.length === 0 ? null : JSON.stringify(user.files),
      trusted_for: user.isTheirs && isTypedHere(request) ? reader.userId : null,
      created_at: at,
    });
    markUsed(sql, user.files);
  }
  insertMessage(sql, {
    id: replyId,
    parent_id: messageId,
    role: "assistant",
    content: "",
    status: "accepted",
    model_id: model.requestedId,
    requested_model_id: autopilot ? AUTOPILOT_MODEL_ID : model.requestedId,
    autopilot: autopilot && JSON.stringify(autopilot),
    persona: context.persona?.name ?? null,
    context: toContextColumn(context.sections),
    memory: context.memoryIds.length === 0 ? null : JSON.stringify({ by: reader.userId, ids: context.memoryIds } satisfies UsedMemory),
    knowledge: context.look && JSON.stringify({ by: reader.userId, ...context.look } satisfies OwnLook),
    citations: context.citations.length === 0 ? null : JSON.stringify(context.citations),
    request_hash: user ? null : hash,
    reply_id: replyId,
    trusted_for: holdUntrusted(context.sections) ? null : reader.userId,
    payer_id: reader.userId,
    used_own: Number(containPrivate(context.sections)),
    created_at: at,
  });
  if (hasMembers(sql)) selectLeaf(sql, reader.userId, replyId);
  moveReaders(sql, { from: user ? user.parentId : null, leafId: replyId, actorId: reader.userId });
}

/** True for what its reader typed: no mail, nothing forwarded, no program's question, nothing that a schedule or the chat itself says. */
function isTypedHere(request: TurnRequest): boolean {
  if (request.kind !== "send") return true;
  const { mail, messaging, isByKey, asksAlways } = request;
  if (messaging) return !messaging.is_forwarded;
  return !mail && isByKey !== true && asksAlways !== true;
}

/** Opens the next generation of a turn whose object died; one that only waited has not begun again. */
export function storeRestart(sql: SqlStorage, turn: StoredTurn): StoredTurn {
  const next = { ...turn, generation: turn.generation + 1, attempts: turn.isWaiting ? turn.attempts : turn.attempts + 1 };
  storeTurnState(sql, next);
  return next;
}

/** Stores how a turn that has not settled now stands, in its chat and in its message. */
export function storeTurnState(sql: SqlStorage, turn: StoredTurn): void {
  sql.exec("UPDATE chat SET turn = ?", JSON.stringify(turn));
  sql.exec("UPDATE messages SET status = ? WHERE id = ?", turn.isWaiting ? "waiting" : "accepted", turn.replyId);
}

function isQuiet(request: TurnRequest, status: string, text: string): boolean {
  return request.kind === "send" && request.schedule !== undefined && status === "done" && isNothingToReport(text);
}

type Settlement = { turn: StoredTurn; content: ReplyContent; result: TurnResult; lastSeq: number };

/**
 * Writes a turn's end and its charge; what an earlier generation of the same message cost is added up. Answers what changes
 * of the chat, for the caller to write in the same transaction.
 */
export function storeSettlement(sql: SqlStorage, { turn, content, result, lastSeq }: Settlement): ChatChanges {
  const { error, cost } = result;
  const { reader, model } = turn.request;
  const micros = cost.known ? cost.micros : null;
  const rounds = readRounds(sql, [turn.replyId]).get(turn.replyId) ?? [];
  const citations = ownSources(sql, turn, { found: result.citations, text: content.text });
  const usage = sumUsage([...rounds.map((round) => round.usage), toolUsage(sql, turn, rounds), result.usage]);
  sql.exec(
    `UPDATE messages SET content = ?, status = ?, model_id = COALESCE(?, model_id), reasoning = ?, reasoning_details = ?, reasoning_ms = ?,
       citations = COALESCE(?, citations), cost_micros = CASE WHEN ?8 IS NULL THEN cost_micros ELSE COALESCE(cost_micros, 0) + ?8 END,
       worked_ms = ?, usage = ?, finish_reason = ?, error = ?, generation = ?, last_seq = ?,
       trusted_for = CASE WHEN ? THEN NULL ELSE trusted_for END WHERE id = ?`,
    content.text,
    result.status,
    result.modelId,
    content.reasoning === "" ? null : content.reasoning,
    result.reasoningDetails.length === 0 ? null : JSON.stringify(result.reasoningDetails),
    content.reasoning === "" ? null : content.reasoningMs,
    citations && JSON.stringify(citations),
    micros,
    strategyOf(turn.request).isBackground ? turn.workedMs + Date.now() - turn.startedAt : null,
    usage && JSON.stringify(usage),
    result.finishReason,
    error && JSON.stringify(error),
    turn.generation,
    lastSeq,
    Number(citations?.some(isUntrustedCitation) ?? false),
    turn.replyId,
  );
  const modelId = result.modelId ?? model.requestedId;
  noteCharge(sql, {
    callId: replyCallId(turn, rounds.length),
    payerId: reader.userId,
    replyId: turn.replyId,
    what: "reply",
    modelId,
    ...amountOf(cost),
    isHouse: reader.anonymous,
    tokens: tokensOf(result.usage),
  });
  return {
    turn: null,
    // What has nothing to report makes the chat unread for nobody.
    ...(isQuiet(turn.request, result.status, content.text) ? {} : addActivity(sql, null)),
    ...(micros !== null && { cost_micros: costSoFar(sql) + micros }),
    ...(content.text !== "" && lastMessage({ content: content.text, sender: null, modelId, at: new Date().toISOString() })),
  };
}

type SourcesRow = Pick<MessageRow, "parent_id" | "context" | "citations">;

/**
 * What an answer cites, with what a turn that ended early had found until then; null for nothing. Of what answers before it cited stays only
 * what it refers to itself, or what was found for its question too.
 */
function ownSources(
  sql: SqlStorage,
  { replyId, request }: StoredTurn,
  { found, text }: { found: readonly Citation[]; text: string },
): Citation[] | null {
  const row = sql.exec<SourcesRow>("SELECT parent_id, context, citations FROM messages WHERE id = ?", replyId).one();
  const cited = found.length > 0 ? found : citationsOf(row);
  if (cited.length === 0) return null;
  const before = row.parent_id === null ? 0 : sourcesUpTo(sql, row.parent_id, request.reader.userId).length;
  const quoted = storedSections(row.context).flatMap((section) => section.text.match(QUOTED_NUMBER) ?? []);
  return withoutUnused(cited, before, [text, ...quoted]);
}

/** The number above a passage, as `quotePassages` writes it. */
const QUOTED_NUMBER = /^\[\d{1,3}\] /gm;

/** What the chat has cost before, in micro-dollars. */
function costSoFar(sql: SqlStorage): number {
  return sql.exec<{ cost_micros: number }>("SELECT cost_micros FROM chat").one().cost_micros;
}

/** What a reply's tools had other models read and write, and how long one waited for them; what runs in the background counts its time as a whole. */
function toolUsage(sql: SqlStorage, { replyId, request }: StoredTurn, rounds: readonly StoredRound[]): MessageUsage | null {
  const usage = usageOfCalls(sql, replyId);
  if (usage === null || strategyOf(request).isBackground) return usage;
  return { ...usage, duration_ms: rounds.reduce((sum, { calls }) => sum + timeOf(calls), 0) };
}

/** Milliseconds that a round's calls took: they run in parallel, except those that waited for approval. */
function timeOf(calls: readonly StoredCall[]): number {
  const isAlone = ({ approval }: StoredCall) => approval?.since !== undefined;
  const alone = calls.filter(isAlone).map(({ durationMs }) => durationMs ?? 0);
  const together = calls.filter((call) => !isAlone(call)).map(({ durationMs }) => durationMs ?? 0);
  return Math.max(0, ...together) + alone.reduce((sum, ms) => sum + ms, 0);
}

type CacheField = "cached_tokens" | "cache_write_tokens";

function sumOf(field: CacheField, one: MessageUsage, other: MessageUsage): Partial<Pick<MessageUsage, CacheField>> {
  const tokens = (one[field] ?? 0) + (other[field] ?? 0);
  return tokens === 0 ? {} : { [field]: tokens };
}

/** What all of a reply's calls to models read and wrote, and how long that took. */
function sumUsage(usages: readonly (MessageUsage | null)[]): MessageUsage | null {
  return usages.reduce(
    (sum, usage) =>
      sum && usage
        ? {
            prompt_tokens: sum.prompt_tokens + usage.prompt_tokens,
            completion_tokens: sum.completion_tokens + usage.completion_tokens,
            reasoning_tokens: sum.reasoning_tokens + usage.reasoning_tokens,
            ...sumOf("cached_tokens", sum, usage),
            ...sumOf("cache_write_tokens", sum, usage),
            duration_ms: sum.duration_ms + usage.duration_ms,
          }
        : (sum ?? usage),
    null,
  );
}
