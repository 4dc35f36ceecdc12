import { lettersOf } from "#web/features/library/artifact-passage/find-passage.ts";
import { type Decision, hunksOf, markWords, type DiffSegment } from "./hunks.ts";

/** Words that a change brought, and what stands before them in their line, both as they are written in markdown. */
export type Insertion = { before: string; text: string };

/** What the open hunks among the pieces bring, in reading order: the changed words, or whole lines where most of a hunk changed. */
export function insertionsOf(pieces: readonly DiffSegment[], decisions: ReadonlyMap<number, Decision>): Insertion[] {
  return hunksOf(pieces)
    .filter(({ index }) => !decisions.has(index))
    .flatMap((hunk) => {
      const lines = markWords(hunk).after;
      const areWordsMarked = lines.some((line) => line.some(({ isChanged }) => isChanged));
      return lines.flatMap((line) => {
        if (!areWordsMarked) return [{ before: "", text: line.map(({ text }) => text).join("") }];
        let before = "";
        return line.flatMap(({ text, isChanged }) => {
          const insertion = { before, text };
          before += text;
          return isChanged ? [insertion] : [];
        });
      });
    });
}

/** Where words stand in a drawn text, in their order; those that are not there, as a link's address, are left out. */
export function locateInsertions(drawn: string, words: readonly Insertion[]): { start: number; end: number }[] {
  const letters = lettersOf(drawn);
  let from = 0;
  return words.flatMap(({ before, text }) => {
    const sought = lettersOf(withoutAddresses(text)).text;
    if (sought === "") return [];
    const at = placeAfter(letters.text, { before: lettersOf(withoutAddresses(before)).text, sought, from });
    if (at === -1) return [];
    from = at + sought.length;
    return [{ start: letters.places[at] ?? 0, end: (letters.places[from - 1] ?? 0) + 1 }];
  });
}

/** The first place of what is sought at or after another one, behind as much of what should stand before it as does. */
function placeAfter(text: string, { before, sought, from }: { before: string; sought: string; from: number }): number {
  for (let length = before.length; ; length = Math.floor(length / 2)) {
    const at = text.indexOf(before.slice(before.length - length) + sought, Math.max(0, from - length));
    if (at !== -1) return at + length;
    if (length === 0) return -1;
  }
}

function withoutAddresses(markdown: string): string {
  return markdown.replaceAll(/\]\([^()\n]*\)/g, "]");
}
