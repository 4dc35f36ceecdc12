import { readCheckpoints } from "./checkpoints.ts";
import { unpaidText } from "#worker/conversation/turn/ended-early.ts";
import { strategyOf } from "#worker/conversation/turn/strategy.ts";
import { findMessage } from "../messages/messages.ts";
import { replyContentOf, type Positioned, replayMessage } from "./reply-log.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { toToolCall } from "#worker/conversation/turn/tool-call.ts";
import { readCalls, readRounds } from "../messages/tool-rounds.ts";

/** A turn whose object died begins again at most this often without coming any further, and once after text that its readers saw. */
const RESTARTS = 2;

/** What becomes of a turn whose object died; `events` is what its readers saw of the reply, `unpaid` the text that nobody was charged for. */
export type Recovery = { events: Positioned[] } & (
  | { kind: "rest" }
  | { kind: "restart"; attempts: number; ended: number; wasResumed: boolean; unpaid: string | null }
  | { kind: "end"; unpaid: string }
);

/** What a reply that goes on begins with. */
export function eventsBefore(sql: SqlStorage, turn: StoredTurn): Positioned[] {
  const message = findMessage(sql, turn.replyId);
  if (!message || message.generation === 0) return [];
  const stored = readCalls(sql, [turn.replyId]).get(turn.replyId) ?? [];
  const calls = stored.filter(({ generation }) => generation < message.generation).map(toToolCall);
  return replayMessage({ ...message, calls, generation: message.generation - 1 }, null);
}

/** Decides whether a turn that an earlier life left waits on, begins again or ends; reads only. */
export function planRecovery(sql: SqlStorage, turn: StoredTurn): Recovery {
  const { replyId } = turn;
  const base = eventsBefore(sql, turn);
  const events = [...base, ...readCheckpoints(sql, replyId)];
  const calls = readCalls(sql, [replyId]).get(replyId) ?? [];
  // A word may have come right before the end of that life: what it approved has yet to run.
  if (turn.isWaiting && !calls.some(({ status }) => status === "running")) return { kind: "rest", events };
  const content = replyContentOf(events);
  const before = replyContentOf(base);
  const round = readRounds(sql, [replyId]).get(replyId)?.at(-1);
  // What was shown after the last round is the only thing that no stored round holds.
  const wasShown =
    content.text.length > Math.max(before.text.length, round?.textEnd ?? 0) ||
    content.reasoning.length > Math.max(before.reasoning.length, round?.reasoningEnd ?? 0);
  const ended = calls.filter(({ status }) => status !== "running" && status !== "waiting").length;
  const attempts = ended > turn.ended ? 1 : turn.attempts;
  const earlier = replyContentOf(events.filter(({ generation }) => generation < turn.generation));
  const unpaid = unpaidText(content, earlier, round);
  const { isBackground } = strategyOf(turn.request);
  const canRestart = attempts <= RESTARTS && (!wasShown || isBackground || !turn.wasResumed);
  if (!canRestart) return { kind: "end", events, unpaid };
  return { kind: "restart", events, attempts, ended, wasResumed: turn.wasResumed || wasShown, unpaid: wasShown ? unpaid : null };
}
