import { diffArrays, diffWordsWithSpace } from "diff";

/** A stretch of a comparison: lines that are the same in both texts, or those that one has in place of the other's. */
export type DiffSegment = { kind: "same"; lines: readonly string[] } | Hunk;
export type Hunk = { kind: "hunk"; index: number; before: readonly string[]; after: readonly string[] };

export type Decision = "accepted" | "rejected";

/** A line as runs of text, some of them changed words. */
export type MarkedLine = readonly { text: string; isChanged: boolean }[];

/** Milliseconds after which two texts count as too unlike to be compared line by line. */
const PATIENCE_MS = 1_500;
/** Longer hunks, in characters, get no marks on their words. */
const WORD_DIFF_LENGTH_MAX = 20_000;
/** The part of a hunk's characters that may differ before marks on words say nothing any more. */
const WORD_DIFF_SHARE_MAX = 0.7;

/** The lines of a text; joined by line feeds they are the text again. */
export function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** Two texts side by side, line by line, in reading order. */
export function compareTexts(before: string, after: string): DiffSegment[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  const head = commonStart(old, young);
  const tail = commonEnd(old, young, head);
  const [oldMiddle, youngMiddle] = [old.slice(head, old.length - tail), young.slice(head, young.length - tail)];
  const changes = diffArrays(oldMiddle, youngMiddle, { timeout: PATIENCE_MS }) ?? [
    { value: oldMiddle, removed: true, added: false },
    { value: youngMiddle, removed: false, added: true },
  ];
  const segments: DiffSegment[] = [];
  let hunk: { before: string[]; after: string[] } | null = null;
  let hunks = 0;
  const close = () => {
    if (hunk && hunk.before.length + hunk.after.length > 0) segments.push({ kind: "hunk", index: hunks++, ...hunk });
    hunk = null;
  };
  const keep = (lines: readonly string[]) => {
    if (lines.length === 0) return;
    close();
    const last = segments.at(-1);
    if (last?.kind === "same") segments[segments.length - 1] = { kind: "same", lines: [...last.lines, ...lines] };
    else segments.push({ kind: "same", lines });
  };
  keep(old.slice(0, head));
  for (const { value, added, removed } of changes) {
    if (!added && !removed) {
      keep(value);
      continue;
    }
    hunk ??= { before: [], after: [] };
    for (const line of value) (added ? hunk.after : hunk.before).push(line);
  }
  close();
  keep(tail === 0 ? [] : old.slice(-tail));
  return segments;
}

/** The hunks among the pieces. */
export function hunksOf(segments: readonly DiffSegment[]): Hunk[] {
  return segments.filter((piece) => piece.kind === "hunk");
}

/** The text that decisions come to: a hunk without one stays as it is in the text after. */
export function decidedText(segments: readonly DiffSegment[], decisions: ReadonlyMap<number, Decision>): string {
  return segments
    .flatMap((piece) => {
      if (piece.kind === "same") return piece.lines;
      return decisions.get(piece.index) === "rejected" ? piece.before : piece.after;
    })
    .join("\n");
}

/** How many lines came and went. */
export function countLines(segments: readonly DiffSegment[]): { added: number; removed: number } {
  const hunks = hunksOf(segments);
  return {
    added: hunks.reduce((sum, { after }) => sum + after.length, 0),
    removed: hunks.reduce((sum, { before }) => sum + before.length, 0),
  };
}

/** Both sides of a hunk with the words that changed; nothing is marked where most of it did. */
export function markWords({ before, after }: Pick<Hunk, "before" | "after">): { before: MarkedLine[]; after: MarkedLine[] } {
  const [old, young] = [before.join("\n"), after.join("\n")];
  const plain = (lines: readonly string[]) => lines.map((text) => [{ text, isChanged: false }]);
  if (old === "" || young === "" || old.length + young.length > WORD_DIFF_LENGTH_MAX) return { before: plain(before), after: plain(after) };
  const changes = diffWordsWithSpace(old, young);
  const changed = changes.reduce((sum, { value, added, removed }) => sum + (added || removed ? value.length : 0), 0);
  if (changed > (old.length + young.length) * WORD_DIFF_SHARE_MAX) return { before: plain(before), after: plain(after) };
  return {
    before: toLines(joinRuns(changes.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, isChanged: removed })))),
    after: toLines(joinRuns(changes.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, isChanged: added })))),
  };
}

/** Runs with what stands between two changed ones and is no word of its own, as the comma of a number, taken into the change. */
function joinRuns(runs: readonly { text: string; isChanged: boolean }[]): { text: string; isChanged: boolean }[] {
  const joined: { text: string; isChanged: boolean }[] = [];
  for (const [index, { text, isChanged }] of runs.entries()) {
    const isBetween = runs[index - 1]?.isChanged === true && runs[index + 1]?.isChanged === true && /^[^\s\w]{1,2}$/.test(text);
    const last = joined.at(-1);
    if (last && last.isChanged && (isChanged || isBetween)) joined[joined.length - 1] = { text: last.text + text, isChanged: true };
    else joined.push({ text, isChanged });
  }
  return joined;
}

function toLines(runs: readonly { text: string; isChanged: boolean }[]): MarkedLine[] {
  const lines: { text: string; isChanged: boolean }[][] = [[]];
  for (const { text, isChanged } of runs) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, isChanged });
    }
  }
  return lines;
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at += 1;
  return at;
}

function commonEnd(one: readonly string[], other: readonly string[], from: number): number {
  const end = Math.min(one.length, other.length) - from;
  let count = 0;
  while (count < end && one[one.length - 1 - count] === other[other.length - 1 - count]) count += 1;
  return count;
}
