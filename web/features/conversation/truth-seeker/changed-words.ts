import { diffArrays } from "diff";

/** Past this share of changed words an answer was rewritten, and marking it all would say nothing. */
const MOST_CHANGED = 0.5;
/** Words put in or taken out past which comparing takes longer than a reader would wait: its time grows by their square. */
const MOST_EDITS = 2_000;

/** Where an answer's words are not its draft's, from and to in UTF-16 units, neighbours as one; nothing where it was rewritten. */
export function changedRuns(draft: string, answer: string): readonly (readonly [number, number])[] {
  const words = Array.from(answer.matchAll(/[\p{L}\p{N}]+(?:[.,'’-][\p{L}\p{N}]+)*/gu), (match) => ({
    word: match[0].toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));
  const drafted = draft.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,'’-][\p{L}\p{N}]+)*/gu) ?? [];
  const runs: [number, number][] = [];
  let at = 0;
  let changed = 0;
  const parts = diffArrays(
    [...drafted],
    words.map(({ word }) => word),
    // More edits than the draft has words leave less than half of the answer as it was.
    { maxEditLength: Math.min(MOST_EDITS, drafted.length) },
  );
  if (!parts) return [];
  for (const { added, removed, value } of parts) {
    if (removed) continue;
    const [first, last] = [words[at], words[at + value.length - 1]];
    at += value.length;
    if (!added || !first || !last) continue;
    changed += value.length;
    runs.push([first.from, last.to]);
  }
  return changed > words.length * MOST_CHANGED ? [] : runs;
}
