import type { Run } from "#shared/entities/outbound/run.ts";

/** What a room is asked about what goes on outside: for a page of it, to end one, or to look at one at once, as its service has news. */
export type RunsInput = { kind: "list" } | { kind: "stop"; callId: string };

export type RunsAnswer = { runs: Run[] };
