import type { ToolPart } from "#shared/entities/tool-call.ts";
import { TOOL_OUTPUT_LENGTH } from "#shared/limits.ts";
import type { Complete } from "#worker/clients/aggregator.ts";
import type { Env } from "#worker/env.ts";
import { defineTools } from "#worker/tools/definitions.ts";
import type { TodoList } from "#worker/tools/tool.ts";
import { dropSteps, openSteps } from "./call-steps.ts";
import { chargeCall } from "../charges/charges.ts";
import type { Citations } from "#worker/turn/citations.ts";
import type { TurnCost } from "#worker/turn/cost.ts";
import { hasBroughtForeignText } from "#worker/turn/foreign-text.ts";
import { checkCall, prepareCall } from "#worker/turn/prepare-call.ts";
import type { LiveReply } from "./reply-stream.ts";
import { type Ran, runCall } from "#worker/turn/run-call.ts";
import type { StoredTurn } from "#worker/turn/stored-turn.ts";
import { roundMessages, toToolCall } from "#worker/turn/tool-call.ts";
import { addCallCost, findCall, insertRound, readCalls, readRounds, updateCall } from "./tool-rounds.ts";
import type { StoredCall } from "#worker/turn/round.ts";
import type { NewRound, TurnTools } from "#worker/turn/turn.ts";

export type ToolDeps = {
  storage: DurableObjectStorage;
  env: Env;
  complete: Complete;
  todos: () => TodoList;
  now(): number;
};

type Running = {
  turn: StoredTurn;
  live: LiveReply;
  citations: Citations;
  /** The generation with which the reply was asked for, or was last asked to go on. */
  since: number;
  /** True where the rounds so far are of the model that is asked now, which then gets its reasoning back. */
  isSameModel: boolean;
  /** True where the path that is answered holds what others wrote. */
  hasForeignText: boolean;
};

/** The tools of one turn: rounds and calls are stored before they run, and readers see each change. */
export function openTurnTools(
  { storage, env, complete, todos, now }: ToolDeps,
  { turn, live, citations, since, isSameModel, hasForeignText }: Running,
): TurnTools {
  const { sql } = storage;
  const { replyId, request } = turn;
  const rounds = () => readRounds(sql, [replyId]).get(replyId) ?? [];
  const calls = () => readCalls(sql, [replyId]).get(replyId) ?? [];
  let charges = 0;
  let told = citations.list().length;

  function begin({ calls: made, cost, usage, modelId, reasoningDetails }: NewRound): void {
    live.save(({ text, reasoning, reasoningMs }) => {
      const before = calls();
      const round = rounds().length;
      const usedIds = new Set(before.map(({ givenId }) => givenId));
      const prepared: StoredCall[] = [];
      const isTold = hasForeignText || citations.list().length > 0 || before.some(hasBroughtForeignText);
      for (const call of made) {
        const next = prepareCall(call, { turn, round, at: text.length, usedIds, hasForeignText: isTold });
        usedIds.add(next.givenId);
        prepared.push(next);
      }
      insertRound(sql, replyId, {
        round,
        textEnd: text.length,
        reasoningEnd: reasoning.length,
        reasoningMs,
        reasoningDetails,
        usage,
        calls: prepared,
      });
      keepCitations();
      if (cost === null) return;
      chargeCall(sql, {
        callId: `${replyId}:${turn.generation}:${round}`,
        turn,
        what: "round",
        modelId: modelId ?? request.model.requestedId,
        cost,
      });
    });
    for (const call of calls().filter(({ round }) => round === rounds().length - 1)) show(call);
  }

  function show(call: StoredCall): void {
    live.publish({ type: "tool", call: toToolCall(findCall(sql, replyId, call.id) ?? call) });
  }

  function keepCitations(): void {
    const list = citations.list();
    if (list.length > 0) sql.exec("UPDATE messages SET citations = ? WHERE id = ?", JSON.stringify(list), replyId);
  }

  function finish(call: StoredCall, ran: Exclude<Ran, null>, durationMs: number): void {
    const output = ran.ok ? ran.output : ran.error;
    const ended: StoredCall = {
      ...call,
      status: ran.ok ? "done" : "failed",
      delivery: "done",
      output: output.length <= TOOL_OUTPUT_LENGTH ? output : `${output.slice(0, TOOL_OUTPUT_LENGTH)}\n\n(The rest is left out.)`,
      sources: ran.sources ?? [],
      images: (ran.ok ? ran.images : undefined) ?? [],
      parts: shownParts(call.id).map((part) => (part.status === "running" ? { ...part, status: ran.ok ? "done" : "failed" } : part)),
      durationMs,
    };
    keepWithCitations(() => {
      updateCall(sql, replyId, ended);
      dropSteps(sql, call.id);
    });
    show(ended);
  }

  /** Stores something together with the sources noted since, and tells these. */
  function keepWithCitations(keep: () => void): void {
    const cited = citations.list();
    storage.transactionSync(() => {
      keep();
      if (cited.length > told) keepCitations();
    });
    if (cited.length > told) live.publish({ type: "citations", citations: cited });
    told = cited.length;
  }

  function shownParts(callId: string) {
    return live.content().calls.find(({ id }) => id === callId)?.parts ?? [];
  }

  async function runOne(call: StoredCall, signal: AbortSignal): Promise<void> {
    const startedAt = now();
    const end = (ran: Exclude<Ran, null>) => finish(call, ran, now() - startedAt);
    if (call.delivery === "sent") return end({ ok: false, error: UNCERTAIN });
    const checked = checkCall(turn, call);
    if (!checked.ok) return end(checked);
    const { tool, input } = checked;
    const parts = new Map<string, Omit<ToolPart, "text">>();
    if (tool.actsOutside) updateCall(sql, replyId, { ...call, delivery: "sent" });
    const ran = await runCall(
      {
        env,
        turn,
        complete,
        todos: todos(),
        citations,
        signal,
        findPart: (id) => parts.get(id),
        showPart(part, text) {
          parts.set(part.id, part);
          live.publish({ type: "tool_part", call_id: call.id, part, text });
        },
        charge: (cost, modelId) => chargeTool(call, cost, modelId ?? tool.id),
        steps: openSteps(sql, call.id, keepWithCitations),
        earlier: () =>
          calls()
            .filter(({ status }) => status !== "running" && status !== "waiting")
            .map(toToolCall),
      },
      { tool, input, callId: call.id },
    );
    if (ran) end(ran);
  }

  function chargeTool(call: StoredCall, cost: TurnCost, modelId: string): void {
    charges += 1;
    const callId = `${call.id}:${turn.generation}:${charges}`;
    storage.transactionSync(() => {
      chargeCall(sql, { callId, turn, what: "tool", modelId, cost });
      if (cost.known && cost.micros !== null) addCallCost(sql, { replyId, callId: call.id, micros: cost.micros });
    });
  }

  return {
    definitions: defineTools(turn.tools),
    hasRounds: () => rounds().length > 0,
    used: () => rounds().filter((round) => round.calls.some((call) => call.generation >= since)).length,
    begin,
    async run(signal) {
      for (;;) {
        const open = calls().filter(({ status }) => status === "running");
        if (open.length === 0 || signal.aborted) break;
        await Promise.all(open.map((call) => runOne(call, signal)));
      }
      return calls().some(({ status }) => status === "waiting") ? "waiting" : "answered";
    },
    // A model that is offered no tools reads the text alone, as the answer that it goes on with.
    calls: () => calls().map(toToolCall),
    messages: () => (turn.tools.length === 0 ? [] : roundMessages(live.content().text, rounds(), { withReasoning: isSameModel })),
  };
}

/** What the model is told of a call that had been sent when the room's life ended. */
const UNCERTAIN = "This was interrupted after it had been sent: it may or may not have happened. It was not sent again.";

/** Ends what is left of a reply's calls as the reply itself ends; answers those that changed. */
export function closeCalls(sql: SqlStorage, replyId: string, partsOf: (callId: string) => StoredCall["parts"]): StoredCall[] {
  const open = (readCalls(sql, [replyId]).get(replyId) ?? []).filter(({ status }) => status === "running" || status === "waiting");
  return open.map((call) => {
    const parts = partsOf(call.id).map((part): StoredCall["parts"][number] =>
      part.status === "running" ? { ...part, status: "failed" } : part,
    );
    const output = call.delivery === "sent" ? UNCERTAIN : "This was stopped before it was done.";
    const closed: StoredCall = { ...call, status: "stopped", delivery: "done", output, parts };
    updateCall(sql, replyId, closed);
    dropSteps(sql, call.id);
    return closed;
  });
}
