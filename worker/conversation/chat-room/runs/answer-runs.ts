import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { RunsAnswer, RunsInput } from "#worker/conversation/room/rpc.ts";
import type { Runs } from "./runs.ts";

/** Answers what somebody asks of a room about what goes on outside. */
export async function answerRuns(runs: Runs, input: RunsInput): Promise<Outcome<RunsAnswer>> {
  if (input.kind === "list") return { ok: true, value: { runs: runs.list() } };
  const stopped = await runs.stop(input.callId);
  return stopped.ok ? { ok: true, value: { runs: runs.list().filter((run) => run.call_id === input.callId) } } : stopped;
}
