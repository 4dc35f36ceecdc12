/** What a user's schedules can be asked for, and what they answer. */
import type { Schedule, ScheduleBody, ScheduleRun } from "#shared/entities/schedules/schedule.ts";

export type ScheduleInput =
  /** All, newest first. */
  | { kind: "list" }
  | { kind: "get"; id: string }
  /** The same id again is the same schedule; `promptText` is what its saved prompt says now, which its person agrees to. */
  | { kind: "create"; id: string; body: ScheduleBody; promptText: string | null; chatId: string | null; isPaused?: boolean }
  /** `chatId` and `promptText` are left as they are where they are not named. */
  | {
      kind: "change";
      id: string;
      change: Partial<ScheduleBody>;
      promptText: string | null | undefined;
      chatId?: string | null | undefined;
      isPaused?: boolean | undefined;
    }
  | { kind: "remove"; id: string }
  /** Runs it now, as `runId`, beside its times. */
  | { kind: "run"; id: string; runId: string }
  | { kind: "runs"; id: string };

/** `schedules` and `runs` are those that were asked for, or the one that was made or changed. */
export type ScheduleAnswer = { schedules: Schedule[]; runs: ScheduleRun[] };
