import type { MessageError } from "#shared/entities/message.ts";
import { GUEST_PAID_CALLS, TOOL_MODEL_CALLS_PER_TURN } from "#shared/limits.ts";
import { AppError, type Outcome } from "#worker/platform/errors/app-error.ts";
import type { CompletionRequest } from "#worker/platform/clients/aggregator.ts";
import type { PromptMessage, ToolDefinition } from "#worker/platform/clients/prompt.ts";
import { costWith, leastCost, longestAnswer, payableTokens, type Priced } from "#worker/platform/spending/longest-answer.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import type { CallModel } from "#worker/conversation/tools/tool.ts";
import type { Toolbox } from "#worker/conversation/turn/toolbox.ts";
import type { Longest } from "#worker/platform/spending/holds.ts";
import { picturesIn, priceAnswer, promptTokens } from "./cost.ts";
import type { StoredCall } from "./round.ts";
import { modelAtPrice } from "./request.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { strategyOf } from "./strategy.ts";
import type { ReservedRound } from "./turn.ts";
import { unpaidError } from "./turn-errors.ts";

/** How a turn asks the ledger of who pays for it. */
export type Reserving = {
  /** Reserves what a call of a tool may cost until the next round, or the reply's end. */
  reserve(request: { callId: string; priced: Priced }): Promise<Outcome<Longest>>;
  /** Reserves what the next round, or the calls of the last one, may cost, in the place of what was reserved before for a reply that was asked for at this generation. */
  reserveRound(request: { generation: number; priced: Priced }): Promise<Outcome<Longest>>;
};

type Deps = Reserving & { spentMicros(): number; calls(): StoredCall[]; nextCharge(call: StoredCall): string };
type Of = { turn: StoredTurn; toolbox: Toolbox; since: number };
type ModelCallRequest = Pick<CompletionRequest, "messages" | "maxTokens">;

/** What one turn may spend as it goes on: nothing of it starts that is not reserved before. */
export type Holds = {
  /** Lets a model be asked by a tool; answers the id that it is charged by, and how many tokens it may answer. Throws `AppError` where nothing may be spent on it. */
  modelCall(call: StoredCall, wanted: ModelCallRequest, asked: CallModel): Promise<{ callId: string; maxTokens: number | null }>;
  /** Notes that a model call has its cost. */
  charged(callId: string): void;
  /** Lets the turn's model be asked with this prompt; why not, where that cannot be paid. */
  round(messages: readonly PromptMessage[], tools: readonly ToolDefinition[]): Promise<ReservedRound | MessageError>;
  /** Reserves what calls cost that are about to run; why not, where that cannot be paid. */
  calls(open: readonly StoredCall[]): Promise<MessageError | null>;
  /** Why a call may not run at all, in words for the model; null where it may. */
  refused(call: StoredCall): string | null;
};

/** What the model reads about a call that the budget of its schedule's run does not allow, about one that credits do not, and about a guest's that is one too many. */
const RUN_BUDGET = "What is left of this run's budget does not allow it.";
const NO_CREDIT = "There is not enough credit left to ask it.";
const GUEST_CALLS = `Without an account, ${GUEST_PAID_CALLS} searches or other calls that cost something are made for one answer. Answer with what there is; the person can sign in for more.`;

/** An answer that may be so much of what was reserved for it is not reserved anew, as that would cost its first word a round trip. */
const ENOUGH = 3 / 4;

/** The share of a research's reservation that its steps leave to its report. */
const ANSWER_SHARE = 1 / 4;

/** The holds of one life of a turn; what earlier lives of its reply spent and asked counts too. */
export function openHolds({ reserve, reserveRound, spentMicros, calls, nextCharge }: Deps, { turn, toolbox, since }: Of): Holds {
  const { request, hold } = turn;
  const { ownTools } = strategyOf(request);
  const budgetMicros = (request.kind === "send" ? request.schedule?.budgetMicros : null) ?? null;
  let modelCalls = calls().reduce((sum, { parts }) => sum + modelCallsIn(parts), 0);
  /** What models that tools ask may still cost, by the ids that they are charged by. */
  const asking = new Map<string, number>();
  /** Calls of a guest's turn that cost the house something. */
  const costing = new Set(
    request.reader.anonymous
      ? calls()
          .filter(hasCost)
          .map(({ id }) => id)
      : [],
  );

  function hasCost({ tool, generation, status, parts }: StoredCall): boolean {
    return generation >= since && status !== "running" && (dollarsOf(tool) > 0 || modelCallsIn(parts) > 0);
  }

  function dollarsOf(tool: string): number {
    return toolbox.find(tool)?.dollars ?? 0;
  }

  /** False for a guest's call that would be one too many of those that cost something. */
  function mayCost({ id }: StoredCall): boolean {
    if (!request.reader.anonymous || costing.has(id)) return true;
    if (costing.size >= GUEST_PAID_CALLS) return false;
    costing.add(id);
    return true;
  }

  /** What is left in micro-dollars of what this reply may cost by itself: of its run's budget, or of the one reservation of a strategy with steps of its own; null where only what its payer has bounds it. */
  function leftMicros(): number | null {
    const open = [...asking.values()].reduce((sum, micros) => sum + micros, 0);
    if (ownTools) return hold && hold.micros + hold.spentBefore - spentMicros() - open;
    return budgetMicros === null ? null : budgetMicros - spentMicros() - open;
  }

  /** The first answer is covered by what was reserved when the turn was asked for; each later one reserves anew. */
  function isFirstAnswer(): boolean {
    return turn.attempts === 1 && !calls().some(({ generation }) => generation >= since);
  }

  return {
    async modelCall(call, wanted, asked) {
      if (!mayCost(call)) throw new AppError("SIGN_IN_REQUIRED", { message: GUEST_CALLS });
      const priced = priceAnswer(promptTokens(wanted.messages), asked, { limit: wanted.maxTokens ?? null });
      modelCalls += 1;
      if (!ownTools && modelCalls > TOOL_MODEL_CALLS_PER_TURN)
        throw new AppError("INVALID_INPUT", { message: `At most ${TOOL_MODEL_CALLS_PER_TURN} models are asked for one answer.` });
      const left = leftMicros();
      const own = left === null ? null : left - (ownTools && hold ? hold.micros * ANSWER_SHARE : 0);
      if (own !== null && own < leastCost(priced)) throw new AppError("TRIGGERED_BUDGET", { message: ownTools ? NO_CREDIT : RUN_BUDGET });
      const callId = nextCharge(call);
      const bound = own === null ? priced : withLongest(priced, ownTools ? payableTokens(own, priced) : longestAnswer(own, priced));
      const maxTokens = bound.answer?.maxTokens ?? null;
      asking.set(callId, costWith(bound, maxTokens));
      if (ownTools) return { callId, maxTokens };
      const reserved = await reserve({ callId, priced: bound });
      if (reserved.ok) return { callId, ...reserved.value };
      asking.delete(callId);
      throw new AppError(reserved.code, { message: NO_CREDIT });
    },
    charged: (callId) => void asking.delete(callId),
    async round(messages, tools) {
      const priced = priceAnswer(promptTokens(messages, tools), modelAtPrice(request), { pictures: picturesIn(messages) });
      const wanted = priced.answer?.maxTokens ?? null;
      const left = leftMicros();
      if (ownTools) return toReservedRound(left === null ? wanted : payableTokens(left, priced), wanted);
      if (hold && isFirstAnswer()) {
        const longest = lesser(hold.maxTokens, wanted);
        // It was reserved before the whole prompt was known: what earlier calls answered may be the most of it.
        if (costWith(priced, longest) <= hold.micros) return { ...toReservedRound(longest, wanted), isBound: hold.isBound };
        const payable = payableTokens(hold.micros, priced);
        if (longest !== null && payable !== null && leastCost(priced) <= hold.micros && payable >= longest * ENOUGH)
          return toReservedRound(payable, wanted);
      }
      const needed = leastCost(priced);
      if (left !== null && left < needed) return unpaidError("TRIGGERED_BUDGET");
      const bound = left === null ? priced : withLongest(priced, longestAnswer(left, priced));
      const reserved = await reserveRound({ generation: since, priced: bound });
      if (!reserved.ok) return unpaidError(reserved.code);
      // Who can pay no more than one answer answers with what is known.
      return { ...toReservedRound(reserved.value.maxTokens, wanted), isLast: left !== null && left < 2 * needed };
    },
    async calls(open) {
      const paid = open.filter((call) => call.delivery !== "sent" && dollarsOf(call.tool) > 0 && mayCost(call));
      if (paid.length === 0 || ownTools) return null;
      const amountMicros = toMicros(paid.reduce((sum, { tool }) => sum + dollarsOf(tool), 0));
      const left = leftMicros();
      if (left !== null && left < amountMicros) return unpaidError("TRIGGERED_BUDGET");
      // In the place of the answer that asked for them, whose cost is known by now.
      const reserved = await reserveRound({ generation: since, priced: { amountMicros } });
      return reserved.ok ? null : unpaidError(reserved.code);
    },
    refused: (call) => (dollarsOf(call.tool) > 0 && !mayCost(call) ? GUEST_CALLS : null),
  };
}

function modelCallsIn(parts: StoredCall["parts"]): number {
  return parts.filter(({ model_id: modelId }) => modelId !== null).length;
}

function toReservedRound(maxTokens: number | null, wanted: number | null): ReservedRound {
  return { maxTokens, isBound: maxTokens !== null && (wanted === null || maxTokens < wanted), isLast: false };
}

function withLongest(priced: Priced, maxTokens: number | null): Priced {
  return priced.answer ? { ...priced, answer: { ...priced.answer, maxTokens } } : priced;
}

function lesser(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
