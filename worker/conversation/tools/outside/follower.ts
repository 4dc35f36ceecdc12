import type { Run } from "#shared/entities/outbound/run.ts";
import type { Env } from "#worker/platform/env.ts";
import type { PlannedRun } from "#worker/conversation/tools/outside/outside-runs.ts";
import type { PrivateSource } from "../private-source.ts";

/** A run as its room keeps it: `ref` is the service's own name for it, null until it has one; `sources` are those of the turn that began it, `order` what one that waits takes to begin. */
export type StoredRun = Run & {
  ref: string | null;
  userId: string;
  turnId: string;
  sources: PrivateSource[];
  order: unknown;
  isConcluded: boolean;
  isStopping: boolean;
};

/** How a run stands by its service: what changed of it, and once it has ended, what its model gets and what it cost in US dollars. */
export type Look = {
  change: Partial<Pick<Run, "state" | "status" | "links" | "summary" | "note" | "seconds">>;
  /** Null while it goes on, or where the service has more to report. */
  ended: { output: string; dollars: number | null } | null;
};

/** How one kind of run is followed. */
export type Follower = {
  /** Milliseconds until it is asked for again, by how long it has gone on. */
  pace(elapsedMs: number): number;
  /** Milliseconds after which it is not followed any more. */
  patience(run: StoredRun): number;
  /** Asks its service; null where that cannot be reached now. */
  look(env: Env, run: StoredRun): Promise<Look | null>;
  /** What becomes of one that was to begin now. */
  ready(env: Env, chatId: string, run: StoredRun): Promise<PlannedRun>;
  /** Has it ended; answers why it cannot be. */
  stop(env: Env, run: StoredRun): Promise<string | null>;
  /** US dollars that so many minutes of it cost where its service gives no price. */
  priceOf(env: Env, minutes: number): number;
  /** The message to the chat in its person's place, once it has ended. */
  message(run: StoredRun): string;
  /** The category of tools that the answer to that may need. */
  category: string;
};
