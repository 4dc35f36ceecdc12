import type { PromptSummary } from "#shared/entities/prompt.ts";

/** Prompts that stand in one line under the composer. */
const FAVOURITES = 3;

type Used = Pick<PromptSummary, "uses" | "last_used_at">;

/** The prompts that were used most, of equals the one used last; then the others in their order. */
export function favouritePrompts<P extends Used>(prompts: readonly P[]): P[] {
  return prompts.toSorted((a, b) => b.uses - a.uses || (b.last_used_at ?? "").localeCompare(a.last_used_at ?? "")).slice(0, FAVOURITES);
}
