import type { SearchKind } from "#shared/contracts/search.ts";
import { addChips, type Chip, hasChip, extractFilters, toggleChip } from "./search-text.ts";

/** What the palette is asked; `typed` are those of the filters that were written in the text, and go with it. */
export type SearchInput = Filters & { text: string; typed: Filters };

type Filters = { chips: Chip[]; kind: SearchKind | null };

const NO_FILTERS: Filters = { chips: [], kind: null };

/** What it is asked when it opens. */
export const NO_INPUT: SearchInput = { text: "", ...NO_FILTERS, typed: NO_FILTERS };

/** The input with another kind, pressed. */
export function withKind(input: SearchInput, kind: SearchKind | null): SearchInput {
  return { ...input, kind, typed: { ...input.typed, kind: null } };
}

/** The input with a filter pressed, which sets it or takes it away. */
export function withToggled(input: SearchInput, chip: Chip): SearchInput {
  const chips = toggleChip(input.chips, chip);
  return { ...input, chips, typed: amongSet(input.typed, chips) };
}

/** The input with its text as it now reads; `isReplaced` where nothing of the earlier one is left. */
export function withText(input: SearchInput, next: string, isReplaced: boolean): SearchInput {
  const { text, chips, kind } = extractFilters(next);
  const base = isReplaced ? withoutTyped(input) : input;
  const typed = { chips: addChips(base.typed.chips, chips), kind: kind ?? base.typed.kind };
  return { text, chips: addChips(base.chips, chips), kind: kind ?? base.kind, typed };
}

/** The input without its last filter, as a step back at the start of the text takes it away. */
export function withoutLast(input: SearchInput): SearchInput {
  if (input.chips.length === 0) return withKind(input, null);
  const chips = input.chips.slice(0, -1);
  return { ...input, chips, typed: amongSet(input.typed, chips) };
}

/** A filter that is no longer set was not typed either: set once more, it is pressed. */
function amongSet(typed: Filters, set: readonly Chip[]): Filters {
  return { ...typed, chips: typed.chips.filter((chip) => hasChip(set, chip)) };
}

/** The filters that were pressed alone: those of a text that was replaced are gone with it. */
function withoutTyped({ text, chips, kind, typed }: SearchInput): SearchInput {
  return {
    text,
    chips: chips.filter((chip) => !hasChip(typed.chips, chip)),
    kind: kind === typed.kind ? null : kind,
    typed: NO_FILTERS,
  };
}
