import type { Reader } from "../../turn/request.ts";

/** What a call sets going outside, before it does; `holdDollars` is what it may cost its person, held back until it has ended. */
export type NewRun = { kind: "code" | "phone"; number: string | null; maxMinutes: number | null; holdDollars: number };

/** What a service has taken, by its own name for it, or why it has not; `isUncertain` where it may have all the same. */
export type PlacedRun =
  | { ok: true; ref: string; status: string | null; link: string | null }
  | { ok: false; error: string; isUncertain?: boolean | undefined };

/** What goes on outside after the call that began it has answered, followed by the chat's room. */
export type OutsideRuns = {
  /** Notes it, has it begun and follows it; what the service refused is forgotten, what it may have taken is not. */
  start(place: { callId: string; replyId: string; reader: Reader }, run: NewRun, begin: () => Promise<PlacedRun>): Promise<PlacedRun>;
};
