/** Lines and characters of a difference that a turn is given. */
const SHOWN_LINES = 120;
const SHOWN_CHARACTERS = 12_000;
const LINE_LENGTH = 500;

/** What changes on a page without its having changed: clocks, ages, counters, long tokens, what follows an address's question mark. */
const NOISE: readonly [RegExp, string][] = [
  [/\b\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?/g, ""],
  [/\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?/gi, ""],
  [/\b(?:\d+|an?|few) ?(?:s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|days?|weeks?) ago\b/gi, ""],
  [/\b(?:just now|a moment ago|moments ago|yesterday|today)\b/gi, ""],
  [
    /\b[\d.,]+ ?[km]? (?:views?|likes?|comments?|replies|reactions?|followers?|subscribers?|visitors?|readers?|users? online|online|shares?|downloads?)\b/gi,
    "",
  ],
  [/\?[^\s)"']*/g, ""],
  [/\b(?=[\w-]*\d)[\w-]{20,}\b/g, ""],
  [/\s+/g, " "],
];

/** A line without its noise; empty where nothing is left of it. */
function plain(line: string): string {
  return NOISE.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), line.slice(0, 4 * LINE_LENGTH)).trim();
}

/** What was added to and taken from a page's text, as lines that begin with `+` and `-`; null where only noise changed, or the order. */
export function comparePages(before: string, after: string): string | null {
  const added = linesMissingIn(after, before).map((line) => `+ ${line}`);
  const removed = linesMissingIn(before, after).map((line) => `- ${line}`);
  const lines = [...removed, ...added];
  if (lines.length === 0) return null;
  const shown: string[] = [];
  let length = 0;
  for (const line of lines.slice(0, SHOWN_LINES)) {
    const cut = line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line;
    length += cut.length + 1;
    if (length > SHOWN_CHARACTERS) break;
    shown.push(cut);
  }
  return shown.length < lines.length ? `${shown.join("\n")}\n(${lines.length - shown.length} more lines changed)` : shown.join("\n");
}

/** The lines of a text that another lacks, each as often as it does. */
function linesMissingIn(text: string, other: string): string[] {
  const there = new Map<string, number>();
  for (const line of other.split("\n")) {
    const key = plain(line);
    there.set(key, (there.get(key) ?? 0) + 1);
  }
  return text.split("\n").flatMap((line) => {
    const key = plain(line);
    const left = there.get(key) ?? 0;
    if (key === "" || left > 0) {
      there.set(key, left - 1);
      return [];
    }
    return [line.trim()];
  });
}
