import type { Schedule, ScheduleRun, ScheduleRunState } from "#shared/entities/schedules/schedule.ts";
import { shortTime } from "#shared/schedules/describe-when.ts";

const STATES: Record<ScheduleRunState, string> = {
  running: "Running",
  waiting: "Waits for you",
  done: "Done",
  quiet: "Nothing to report",
  failed: "Failed",
  stopped: "Stopped",
  skipped: "Skipped",
};

/** How a run stands, in a word or two. */
export function runStateLabel(state: ScheduleRunState): string {
  return STATES[state];
}

/** Which runs ask for attention. */
export function runTone(state: ScheduleRunState): "neutral" | "accent" | "signal" | "danger" {
  if (state === "failed") return "danger";
  if (state === "waiting") return "signal";
  return state === "done" || state === "running" ? "accent" : "neutral";
}

/** A moment in the zone of a schedule. */
export function timeIn(at: string, zone: string): string {
  return shortTime(Date.parse(at), zone);
}

/** When a schedule runs next, or why it does not. */
export function nextRunLabel({ state, next_at: next, time_zone: zone, when }: Schedule): string {
  if (state === "paused") return "Paused";
  if (state === "done" || next === null) return "Over";
  return `${when.kind === "page" ? "Next look" : "Next"} ${timeIn(next, zone)}`;
}

/** What became of the last time, and when that was. */
export function lastRunLabel({ last_run: run, time_zone: zone, when, checked_at: checked }: Schedule): string {
  if (run) return `${runStateLabel(run.state)}, ${timeIn(run.started_at ?? run.due_at, zone)}`;
  return when.kind === "page" && checked !== null ? `No change so far, looked at ${timeIn(checked, zone)}` : "Has not run yet";
}

/** True while a run is under way. */
export function isRunning(run: ScheduleRun | null): boolean {
  return run !== null && run.ended_at === null;
}
