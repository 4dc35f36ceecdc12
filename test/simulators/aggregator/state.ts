import { createFaultCounter } from "./faults.ts";
import { createLedger, type Ledger } from "./generations.ts";
import { createPromptCache, type PromptCache } from "./prompt-cache.ts";
import { createReasoningMemory, type ReasoningMemory } from "./reasoning.ts";
import { basePace, type AggregatorOptions, type Control } from "./settings.ts";
import type { Pace } from "./write-stream.ts";

/** What one running aggregator remembers. */
export type AggregatorState = {
  pace: Pace;
  hasMalformedModel: boolean;
  control: Control;
  ledger: Ledger;
  reasoning: ReasoningMemory;
  promptCache: PromptCache;
  /** Whether a fault with `times N` still holds for this key. */
  faultHolds: (key: string, times: number) => boolean;
  /** How often this was asked before, so asking again is answered differently. */
  timesAsked: (key: string) => number;
};

/** A fresh memory. */
export function createState(options: AggregatorOptions): AggregatorState {
  const asked = new Map<string, number>();
  return {
    pace: basePace(options),
    hasMalformedModel: options.hasMalformedModel ?? true,
    control: {},
    ledger: createLedger(),
    reasoning: createReasoningMemory(),
    promptCache: createPromptCache(),
    faultHolds: createFaultCounter(),
    timesAsked(key) {
      const count = asked.get(key) ?? 0;
      asked.set(key, count + 1);
      if (asked.size > 1000) asked.clear();
      return count;
    },
  };
}
