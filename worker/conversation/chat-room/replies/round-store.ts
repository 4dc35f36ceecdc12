import type { Citation } from "#shared/entities/message.ts";
import type { StoredCall } from "#worker/conversation/turn/round.ts";
import { UNCERTAIN, type RoundStore } from "#worker/conversation/turn/rounds.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { isUntrustedCitation } from "#worker/conversation/turn/untrusted-text.ts";
import { isVisibleToAll, readableRounds } from "#worker/conversation/turn/tool-call.ts";
import { chargeCall, spentOnReply } from "../charges/charges.ts";
import { markUntrusted, isTrustedBy, markOwn } from "../messages/messages.ts";
import type { LiveReply } from "./reply-stream.ts";
import { addCallUse, findCall, insertRound, earlierToolOutputs, readCalls, readRounds, updateCall } from "../messages/tool-rounds.ts";
import type { StoredSteps } from "#worker/conversation/turn/run-call.ts";

/** A reply's rounds in the room's storage. */
export function createRoundStore(
  storage: DurableObjectStorage,
  { turn, live }: { turn: StoredTurn; live: Pick<LiveReply, "save"> },
): RoundStore {
  const { sql } = storage;
  const { replyId } = turn;

  function keepCitations(citations: readonly Citation[] | null): void {
    if (citations === null || citations.length === 0) return;
    sql.exec(
      "UPDATE messages SET citations = ?, trusted_for = CASE WHEN ? THEN NULL ELSE trusted_for END WHERE id = ?",
      JSON.stringify(citations),
      Number(citations.some(isUntrustedCitation)),
      replyId,
    );
  }

  return {
    // An earlier generation may have been another's.
    rounds: () => readableRounds(readRounds(sql, [replyId]).get(replyId) ?? [], turn.request.reader.userId),
    calls: () => readCalls(sql, [replyId]).get(replyId) ?? [],
    spentMicros: () => spentOnReply(sql, replyId),
    isTrusted: () => isTrustedBy(sql, replyId, turn.request.reader.userId),
    find: (callId) => findCall(sql, replyId, callId),
    outputsOf: (tool) => earlierToolOutputs(sql, { tool, userId: turn.request.reader.userId }),
    begin(toRound, { citations, charge }) {
      live.save((content) => {
        const round = toRound(content);
        insertRound(sql, replyId, round);
        if (round.calls.some(({ tool }) => !isVisibleToAll(tool))) markOwn(sql, replyId);
        keepCitations(citations);
        if (charge) chargeCall(sql, { ...charge, turn, what: "round", usage: round.usage });
      });
    },
    markSent: (call) => updateCall(sql, replyId, { ...call, delivery: "sent" }),
    end(call, citations, { isUntrusted }) {
      storage.transactionSync(() => {
        updateCall(sql, replyId, call);
        dropSteps(sql, call.id);
        if (isUntrusted) markUntrusted(sql, replyId);
        keepCitations(citations);
      });
    },
    charge(call, charge, usage) {
      storage.transactionSync(() => {
        chargeCall(sql, { ...charge, turn, what: "tool", usage });
        const micros = charge.cost.known ? charge.cost.micros : null;
        if (micros !== null || usage !== null) addCallUse(sql, { replyId, callId: call.id, micros, usage });
      });
    },
    steps: (callId, newCitations) =>
      openSteps(sql, callId, (keep) =>
        storage.transactionSync(() => {
          keep();
          keepCitations(newCitations());
        }),
      ),
  };
}

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

/** The steps of one call; `store` runs what it is given in a transaction, with whatever belongs to it. */
function openSteps(sql: SqlStorage, callId: string, store: (keep: () => void) => void): StoredSteps {
  return {
    find(step) {
      const row = sql.exec<{ result: string }>("SELECT result FROM call_steps WHERE call_id = ? AND step = ?", callId, step).toArray()[0];
      return row ? JSON.parse(row.result) : undefined;
    },
    keep(step, result) {
      store(() => sql.exec("INSERT INTO call_steps (call_id, step, result) VALUES (?, ?, ?)", callId, step, JSON.stringify(result)));
    },
  };
}

/** Forgets a call's steps once the call itself has ended. */
function dropSteps(sql: SqlStorage, callId: string): void {
  sql.exec("DELETE FROM call_steps WHERE call_id = ?", callId);
}
