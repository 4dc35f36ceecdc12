import type { ToolDecision } from "#shared/entities/tool-call.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { openToolbox } from "#worker/conversation/turn/toolbox.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Env } from "#worker/platform/env.ts";
import { ARGUMENTS_LENGTH, checkCall, problemOf } from "#worker/conversation/turn/prepare-call.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import { type StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { storedTurn } from "../chat.ts";
import { findCall, isCallHere, updateCall, waitingCalls } from "../messages/tool-rounds.ts";
import type { StoredCall } from "#worker/conversation/turn/round.ts";
import type { Decision } from "#worker/conversation/room/rpc.ts";

/** What the model reads about a call that its person did not want. */
const DISCARDED = "The person decided against this. Don't do it, and don't try it in another way, unless they ask for it.";

/** What the model reads about a call that its person wants changed. */
function toChange(request: string): string {
  return `The person did not approve this as it stands. Make this change and call the tool anew, which asks them again: ${request}`;
}

/** What the model reads about a call that nobody decided about in time. */
const EXPIRED =
  "Nobody decided about this in time, so it was discarded and not done. Say so, and don't try it again unless the person asks for it.";

type Place = { sql: SqlStorage; tools: readonly Tool[] };

/** Enters a person's word on a call that waits for it, once; answers the call and its turn as they then stand. */
export function decideCall(
  { sql, tools }: Place,
  reader: Pick<Reader, "userId">,
  { callId, decision, input, change }: Decision,
): Outcome<{ turn: StoredTurn; call: StoredCall }> {
  const turn = storedTurn(sql);
  const call = turn && findCall(sql, turn.replyId, callId);
  if (!call) return isCallHere(sql, callId) ? refuse("ALREADY_DECIDED", "This is over: its reply has ended.") : refuse("NOT_FOUND");
  const { approval } = call;
  if (!approval || (approval.decision === null && call.status !== "waiting")) return refuse("INVALID_INPUT", "This call asks nobody.");
  if (approval.user.id !== reader.userId) return refuse("FORBIDDEN", `This is for ${approval.user.display_name} to decide.`);
  if (approval.decision !== null) {
    return refuse("ALREADY_DECIDED", approval.isExpired ? "Nobody decided in time, so this was discarded." : DECIDED[approval.decision]);
  }
  const editedInput = input === undefined || decision === "discard" ? null : JSON.stringify(input);
  if (editedInput !== null && editedInput.length > ARGUMENTS_LENGTH) return refuse("INVALID_INPUT", "That is too long for a call.");
  const checked = checkCall(openToolbox(tools, turn.tools, turn.connected), { ...call, editedInput });
  if (!checked.ok && decision !== "discard") return refuse("INVALID_INPUT", checked.error);
  const decided: StoredCall = {
    ...call,
    approval: { ...approval, decision, ...(change !== undefined && { isChangeAsked: true }) },
    editedInput,
    ...(decision === "discard"
      ? { status: "discarded", delivery: "done", output: change === undefined ? DISCARDED : toChange(change) }
      : { status: "running" }),
  };
  updateCall(sql, turn.replyId, decided);
  if (decision !== "always") return { ok: true, value: { call: decided, turn } };
  const allowing = allowAlways(turn, call.tool);
  sql.exec("UPDATE chat SET turn = ?", JSON.stringify(allowing));
  return { ok: true, value: { call: decided, turn: allowing } };
}

/** Why what is about to be approved cannot be made as things stand: it goes on waiting; null where it can. */
export async function problemOfDecision(
  env: Env,
  { sql, tools }: Place,
  { callId, decision, input }: Decision,
): Promise<Outcome<never> | null> {
  const turn = decision === "discard" ? null : storedTurn(sql);
  const call = turn && findCall(sql, turn.replyId, callId);
  if (!turn || call?.status !== "waiting") return null;
  const asked = { ...call, editedInput: input === undefined ? null : JSON.stringify(input) };
  const problem = await problemOf(openToolbox(tools, turn.tools), asked, { env, userId: turn.request.reader.userId });
  return problem === null ? null : { ok: false, code: "INVALID_INPUT", message: problem };
}

/** Discards the calls that nobody decided about in time; answers them, and their turn. */
export function expireCalls(sql: SqlStorage, now: number): { turn: StoredTurn; calls: StoredCall[] } | null {
  const turn = storedTurn(sql);
  if (!turn) return null;
  const at = new Date(now).toISOString();
  const calls = waitingCalls(sql).flatMap(({ call }): StoredCall[] => {
    const { approval } = call;
    if (!approval?.expires_at || approval.expires_at > at) return [];
    return [
      { ...call, approval: { ...approval, decision: "discard", isExpired: true }, status: "discarded", delivery: "done", output: EXPIRED },
    ];
  });
  for (const call of calls) updateCall(sql, turn.replyId, call);
  return { turn, calls };
}

/** True where the turn waits for the word of someone who may not give it any more. */
export function isOrphaned(sql: SqlStorage, mayDecide: (userId: string) => boolean): boolean {
  return waitingCalls(sql).some(({ call: { approval } }) => approval !== null && !mayDecide(approval.user.id));
}

const DECIDED: Record<ToolDecision, string> = {
  approve: "This was already approved.",
  always: "This was already approved.",
  discard: "This was already discarded.",
};

function allowAlways(turn: StoredTurn, toolId: string): StoredTurn {
  const { tools } = turn.request;
  const before = tools.settings[toolId] ?? { enabled: true, is_always_on_override: false };
  const settings = { ...tools.settings, [toolId]: { ...before, always_allowed: true } };
  return { ...turn, request: { ...turn.request, tools: { ...tools, settings } } };
}

function refuse(code: "NOT_FOUND" | "FORBIDDEN" | "ALREADY_DECIDED" | "INVALID_INPUT", message?: string): Outcome<never> {
  return { ok: false, code, ...(message !== undefined && { message }) };
}
