import * as z from "zod";
import type { RecordedRequest } from "../simulator.ts";
import { parseFault, type Directives, type FaultDirective } from "./directives.ts";
import type { Pace } from "./write-stream.ts";

const FaultText = z.string().refine((text) => parseFault(text) !== null, "unknown fault");

/** What `POST /control` sets, until it is set otherwise; null unsets. */
export const Control = z.strictObject({
  /** A fault of every `GET /models`: a status, `hang` or `cut-before`. */
  modelsFault: FaultText.nullish(),
  /** A fault of every chat completion. */
  chatFault: FaultText.nullish(),
  tokensPerSecond: z.number().min(0).nullish(),
  firstTokenMs: z.number().min(0).nullish(),
});
export type Control = z.infer<typeof Control>;

export type AggregatorOptions = {
  port?: number;
  /** Tokens a second; 0 is as fast as the reader takes them. */
  tokensPerSecond?: number;
  firstTokenMs?: number;
  /** Whether the list of models holds a row of the wrong types, as it does by default. */
  hasMalformedModel?: boolean;
  /** Where `SIM_TOKENS_PER_SECOND` and `SIM_FIRST_TOKEN_MS` are read; the process's own when absent. */
  env?: Record<string, string | undefined>;
};

/** A human pace: quick enough to follow, slow enough to read. */
export const DEFAULT_PACE: Pace = { tokensPerSecond: 60, firstTokenMs: 300 };

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The pace from the options, else the environment, else the human one. */
export function basePace(options: AggregatorOptions): Pace {
  const env = options.env ?? process.env;
  return {
    tokensPerSecond: options.tokensPerSecond ?? numberOf(env["SIM_TOKENS_PER_SECOND"]) ?? DEFAULT_PACE.tokensPerSecond,
    firstTokenMs: options.firstTokenMs ?? numberOf(env["SIM_FIRST_TOKEN_MS"]) ?? DEFAULT_PACE.firstTokenMs,
  };
}

/** The pace of one answer: the prompt's lines before the headers, these before control and base. */
export function paceOf(base: Pace, control: Control, { headers }: RecordedRequest, directives: Directives): Pace {
  return {
    tokensPerSecond: directives.speed ?? numberOf(headers["x-sim-tokens-per-second"]) ?? control.tokensPerSecond ?? base.tokensPerSecond,
    firstTokenMs: directives.delay ?? numberOf(headers["x-sim-first-token-ms"]) ?? control.firstTokenMs ?? base.firstTokenMs,
  };
}

/** A fault's text as a directive; null without one. */
export function faultOf(text: string | null | undefined): FaultDirective | null {
  return text ? parseFault(text) : null;
}
