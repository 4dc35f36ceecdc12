import type { Reader } from "#worker/people/callers/reader.ts";

/** What a call sets going outside, before it does. */
export type RunFacts = { kind: "code" | "phone"; number: string | null; maxMinutes: number | null };

/** `holdDollars` is what it may cost its person, reserved until it has ended. */
export type NewRun = RunFacts & { holdDollars: number };

/** What a service has taken, by its own name for it, or why it has not; `isUncertain` where it may have all the same. */
export type PlacedRun =
  | { ok: true; ref: string; status: string | null; link: string | null }
  | { ok: false; error: string; isUncertain?: boolean | undefined };

/** What becomes of one that was to begin now: it begins, waits on until then (epoch milliseconds), or does not begin at all. */
export type PlannedRun =
  | { kind: "ready"; holdDollars: number; begin: () => Promise<PlacedRun> }
  | { kind: "waits"; until: number }
  | { kind: "refused"; error: string };

export type RunPlace = { callId: string; replyId: string; reader: Reader };

/** What goes on outside after the call that began it has answered, followed by the chat's room. */
export type OutsideRuns = {
  /** Notes it, has it begun and follows it; what the service refused is forgotten, what it may have taken is not. */
  start(place: RunPlace, run: NewRun, begin: () => Promise<PlacedRun>): Promise<PlacedRun>;
  /** Notes one that begins by itself later, in epoch milliseconds, with what it takes for that as JSON; false where it is noted already. */
  plan(place: RunPlace, run: RunFacts, later: { startsAt: number; order: Record<string, unknown> }): Promise<boolean>;
};
