/** Lines and characters of a difference that a turn is given. */
const SHOWN_LINES = 120;
const SHOWN_CHARACTERS = 12_000;
const LINE_LENGTH = 500;

const CLOCK = String.raw`\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?`;
const ZONE = String.raw`(?:UTC|GMT|Z|[A-Z]{1,3}T|CEST)\b`;
/** Words that say that the time after them is the page's own, with what may stand between the two. */
const STAMPED = String.raw`\b(?:last|as of|updated?|modified|changed|edited|checked|refreshed|synced|generated|retrieved|published|posted|seen|(?:current|local) time|now)\b`;
const BETWEEN = String.raw`(?:[\s,:;()\u2013\u2014./-]|\b(?:at|on|the|by|was|is|time|updated?|modified|changed|edited|checked|refreshed|synced|seen)\b|\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|\b\d{1,4}(?:st|nd|rd|th)?\b)`;

/** A clock that stands alone in its line. */
const ONLY_CLOCK = new RegExp(String.raw`^[^\p{L}\p{N}]*${CLOCK}[^\p{L}\p{N}]*(?:${ZONE}[^\p{L}\p{N}]*)?$`, "iu");

/** What changes on a page without its having changed: stamps, ages, counters, long tokens, what follows an address's question mark. */
const NOISE: readonly [RegExp, string][] = [
  [/\b\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?/g, ""],
  [new RegExp(`(${STAMPED})${BETWEEN}{0,24}?${CLOCK}(?: ?${ZONE})?`, "gi"), "$1"],
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
  return NOISE.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), line).trim();
}

/** A text's lines without clocks, long ones in their sentences, so all of them is compared. */
function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    if (ONLY_CLOCK.test(line)) return [];
    if (line.length <= LINE_LENGTH) return [line];
    return line.split(/(?<=[.!?])\s+/).flatMap((sentence) => sentence.match(LINE_PART) ?? []);
  });
}

const LINE_PART = new RegExp(`.{1,${LINE_LENGTH}}`, "gsu");

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
  for (const line of linesOf(other)) {
    const key = plain(line);
    there.set(key, (there.get(key) ?? 0) + 1);
  }
  return linesOf(text).flatMap((line) => {
    const key = plain(line);
    const left = there.get(key) ?? 0;
    if (key === "" || left > 0) {
      there.set(key, left - 1);
      return [];
    }
    return [line.trim()];
  });
}
