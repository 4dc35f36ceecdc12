import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import { CHARACTERS_PER_TOKEN, fromMicros, toMicros } from "#worker/credits/money.ts";
import type { Env } from "#worker/env.ts";
import type { Outcome } from "#worker/app-error.ts";
import { log } from "#worker/log.ts";
import { hubOf } from "#worker/user-hub/stub.ts";
import type { Contribution } from "#worker/turn/contribution.ts";
import { estimateAnswer, LEAST_MICROS } from "#worker/turn/cost.ts";
import { systemPrompt } from "#worker/turn/prompt.ts";
import { strategyOf } from "#worker/turn/strategy.ts";
import type { Reader, TurnRequest } from "#worker/turn/request.ts";
import { teamOf } from "../chat.ts";
import { holdOf } from "../rpc.ts";
import type { TurnPlan } from "./plan-turn.ts";
import { readsMemory } from "#worker/memories/use-memory.ts";
import type { Hold, Reserved } from "#worker/user-hub/rpc.ts";

/** A picture is taken for as many characters as cost what it does: about 1,500 tokens. */
const PICTURE_CHARACTERS = 6_000;
const LENGTH = `length(m.content) + CASE WHEN m.attachments IS NULL THEN 0 ELSE COALESCE((
  SELECT SUM(CASE json_extract(value, '$.kind') WHEN 'image' THEN ${PICTURE_CHARACTERS} ELSE json_extract(value, '$.characters') END)
  FROM json_each(m.attachments)), 0) END`;

type Reserving = Asked & { hold: Hold; isFollowed: boolean };
type Asked = { request: TurnRequest; settings: ChatSettings; plan: Exclude<TurnPlan, { kind: "repeat" }>; context: Contribution };

/**
 * Asks the payer's hub to hold back what a turn may cost, and answers whether a stream of its reply is held too, and the memory that goes along. The house pays for
 * guests, whose hubs are not asked: how many turns they have is bounded by the day.
 */
export async function reserveTurn(env: Env, sql: SqlStorage, { hold, isFollowed, ...asked }: Reserving): Promise<Outcome<Reserved>> {
  const { reader } = asked.request;
  if (reader.anonymous) return { ok: true, value: { hasPlace: true, memory: null } };
  const amountMicros = estimateTurn(sql, asked);
  const { request } = asked;
  const budgetMicros = (request.kind === "send" ? request.schedule?.budgetMicros : null) ?? null;
  if (budgetMicros !== null && amountMicros > budgetMicros) return refuseForRun(budgetMicros, amountMicros);
  // A chat that begins with this turn has no row yet.
  const teamId = teamOf(sql) ?? (request.kind === "send" ? (request.create?.teamId ?? null) : null);
  try {
    return await hubOf(env, reader.userId).reserve({
      ...hold,
      amountMicros,
      chatId: request.chatId,
      isFollowed,
      teamId,
      ...memoryOf(asked),
    });
  } catch (cause) {
    log.error("credits could not be checked", { cause });
    return { ok: false, code: "USAGE_CHECK_FAILED" };
  }
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

/** Asks the payer's hub to hold back what a call that a tool makes may cost, until it is charged or its reply ends. */
export async function reserveCall(
  env: Env,
  sql: SqlStorage,
  { reader, replyId, callId, amountMicros }: { reader: Reader; replyId: string; callId: string; amountMicros: number },
): Promise<Outcome<null>> {
  if (reader.anonymous) return { ok: true, value: null };
  try {
    return await hubOf(env, reader.userId).reserveCall({ replyId, generation: holdOf(callId), amountMicros, teamId: teamOf(sql) });
  } catch (cause) {
    log.error("credits could not be checked", { cause });
    return { ok: false, code: "USAGE_CHECK_FAILED" };
  }
}

/** Gives back what was held for a turn that did not begin. */
export async function releaseTurn(env: Env, reader: Reader, hold: Hold): Promise<void> {
  if (!reader.anonymous) await hubOf(env, reader.userId).release(hold);
}

function estimateTurn(sql: SqlStorage, { request, plan, context }: Asked): number {
  const user = plan.kind === "reply" ? plan.user : null;
  const end = plan.kind === "continue" ? plan.replyId : user ? user.parentId : plan.messageId;
  const known = end === null ? 0 : pathLength(sql, end);
  const added = user?.content.length ?? 0;
  const instructions = systemPrompt(context.sections, context.tools.length > 0).length;
  const files = user?.files ?? [];
  const carried = files.reduce((sum, { kind, characters }) => sum + (kind === "image" ? PICTURE_CHARACTERS : characters), 0);
  const { promptPrice, completionPrice, contextLength } = request.model;
  const prompt = Math.min((instructions + known + added + carried) / CHARACTERS_PER_TOKEN, contextLength ?? Number.POSITIVE_INFINITY);
  const answer = estimateAnswer(prompt, { promptPrice, completionPrice });
  return Math.max(answer + strategyOf(request).extraMicros(request), LEAST_MICROS);
}

type Counted = { id: string; n: number };

/** The path that was counted last, to the message before its leaf: what something follows changes no more, so a turn reads what was added. */
const counted = new WeakMap<SqlStorage, Counted>();

/** Characters on the path to a message, and those that its files are taken for. */
function pathLength(sql: SqlStorage, leafId: string): number {
  const before = counted.get(sql);
  const known = before && before.id !== leafId ? before : { id: "", n: 0 };
  const [leaf, ...above] = sql
    .exec<Counted>(
      `WITH RECURSIVE path(id, parent_id, n) AS (
         SELECT m.id, m.parent_id, ${LENGTH} FROM messages m WHERE m.id = ?1
         UNION ALL SELECT m.id, m.parent_id, CASE m.id WHEN ?2 THEN ?3 ELSE ${LENGTH} END
         FROM messages m JOIN path ON m.id = path.parent_id WHERE path.id <> ?2
       )
       SELECT id, n FROM path`,
      leafId,
      known.id,
      known.n,
    )
    .toArray();
  const n = above.reduce((sum, message) => sum + message.n, 0);
  if (above[0]) counted.set(sql, { id: above[0].id, n });
  return n + (leaf?.n ?? 0);
}
