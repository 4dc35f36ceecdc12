import { type PhoneCall, readCall, callSeconds, stopCall, transcriptOf } from "#worker/platform/clients/runs/bland.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { placeWaitingCall } from "./place-call.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";
import type { Follower } from "#worker/conversation/tools/outside/follower.ts";
import type { StoredRun } from "#worker/conversation/tools/outside/follower.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How long after its end a call's summary and price are waited for, in milliseconds. */
const LATE_MS = 90 * SECOND;
const TRANSCRIPT_LENGTH = 40_000;

/** A phone call: its service reports its end, and is asked besides. */
export const followCall: Follower = {
  category: "phone",
  pace: (elapsed) => (elapsed < 3 * MINUTE ? 5 * SECOND : 20 * SECOND),
  patience: ({ max_minutes: minutes }) => ((minutes ?? 30) + 30) * MINUTE,
  async look(env, run) {
    const read = await readCall(env, run.ref ?? "", AbortSignal.timeout(20 * SECOND));
    if (!read.ok && read.status === 404) return callNotFound(read.message);
    // Everything else passes by itself.
    if (!read.ok) return null;
    const call = read.value;
    const status = call.status ?? null;
    if (call.completed !== true) return { change: { status: status ?? "in progress" }, ended: null };
    const endedAt = Date.parse(call.end_at ?? "") || Date.now();
    const isFresh = Date.now() - endedAt < LATE_MS;
    const seconds = callSeconds(call);
    if ((call.price == null || (seconds > 0 && !call.summary)) && isFresh) return { change: { status, seconds }, ended: null };
    const dollars = call.price ?? followCall.priceOf(env, Math.ceil(seconds / 60));
    return {
      change: {
        state: run.isStopping ? "stopped" : status === "completed" ? "done" : "failed",
        status,
        seconds,
        summary: call.summary?.trim().slice(0, 2_000) || null,
        note: call.error_message?.slice(0, 300) || null,
      },
      ended: { output: outputOf(run, call, dollars), dollars },
    };
  },
  ready: (env, chatId, { call_id: callId, userId, order }) => placeWaitingCall(env, { chatId, callId, userId }, order),
  async stop(env, { ref }) {
    const stopped = await stopCall(env, ref ?? "", AbortSignal.timeout(20 * SECOND));
    return stopped.ok ? null : stopped.message;
  },
  priceOf: (env: Env, minutes) => minutes * configOf(env).phone.pricePerMinute,
  message: ({ number, status, seconds, cost, note }) => {
    if (status === "not-made")
      return `The call to ${number} that waited for the calling hours was not made. ${note} Tell me what can be done.`;
    const facts = [
      (status ?? "unknown").replaceAll("-", " "),
      ...(seconds ? [durationOf(seconds)] : []),
      ...(cost ? [`$${cost.toFixed(2)}`] : []),
    ];
    return `The call to ${number} has ended: ${facts.join(", ")}.${note ? ` ${note}` : ""} Tell me what came of it.`;
  },
};

function callNotFound(message: string) {
  return {
    change: { state: "failed" as const, note: message },
    ended: { output: `The call could not be followed. ${message}`, dollars: null },
  };
}

function outputOf({ number }: StoredRun, call: PhoneCall, dollars: number): string {
  const facts = [
    `The call to ${number} has ended: ${call.status ?? "unknown"}, ${durationOf(callSeconds(call))}, answered by ${call.answered_by ?? "nobody known"}, $${dollars.toFixed(3)}.`,
  ];
  const transcript = transcriptOf(call).slice(0, TRANSCRIPT_LENGTH);
  const report = [...(call.summary ? [`Summary: ${call.summary}`] : []), ...(transcript ? [`What was said:\n${transcript}`] : [])].join(
    "\n\n",
  );
  return report === "" ? `${facts.join("")} Nothing was said.` : `${facts.join("")}\n${quoteUntrusted(report)}`;
}

/** Seconds as minutes and seconds, as 1:05. */
function durationOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
