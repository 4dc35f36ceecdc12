import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The seed of `npm run test:long`, which tries every property and every hostile file; null in `npm test`, which tries a sample. */
    longSeed: number | null;
  }
}

/** The sample is the same in every run, so a failure can be met again. */
const SAMPLE_SEED = 20_261_121;

/**
 * How often a property is tried: `sample` times with the same cases in `npm test`, `full` times with new ones in `npm run test:long`,
 * or with those that `fixed` makes where one in some thousands is known to fail and to be nobody's harm.
 */
export function cases({ sample, full, fixed }: { sample: number; full: number; fixed?: number }): { numRuns: number; seed: number } {
  const seed = inject("longSeed");
  return { numRuns: seed === null ? sample : full, seed: fixed ?? seed ?? SAMPLE_SEED };
}

/** Those of a list that `npm test` tries, by name; `npm run test:long` tries all. */
export function sampleOf<T>(all: Record<string, T>, names: readonly string[]): [string, T][] {
  const isAll = inject("longSeed") !== null;
  const missing = names.filter((name) => !Object.hasOwn(all, name));
  if (missing.length > 0) throw new Error(`There is no ${missing.join(", ")}.`);
  return Object.entries(all).filter(([name]) => isAll || names.includes(name));
}

/** Every `step`th of a long list, which `npm test` tries; `npm run test:long` tries all. */
export function everyNth<T>(all: readonly T[], step: number): T[] {
  const isAll = inject("longSeed") !== null;
  return all.filter((_, index) => isAll || index % step === 0);
}
