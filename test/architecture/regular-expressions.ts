import { parseSync, Visitor } from "vite";
import type { Source } from "./sources.ts";

export type Found = { path: string; pattern: RegExp };

/** Every regular expression literal of these files, each once. */
export function literalsIn(sources: Source[]): Found[] {
  const found = new Map<string, Found>();
  for (const { path, text } of sources) {
    const visitor = new Visitor({
      Literal(node) {
        if (!("regex" in node)) return;
        const { pattern, flags } = node.regex;
        const key = `/${pattern}/${flags}`;
        if (!found.has(key)) found.set(key, { path, pattern: new RegExp(pattern, flags) });
      },
    });
    visitor.visit(parseSync(path, text).program);
  }
  return [...found.values()];
}

/** Whether a pattern repeats something: what does not reads a few letters from each place of a text, however long that is. */
export function repeats({ source }: RegExp): boolean {
  return /[*+]|\{\d+,\d*\}/.test(source.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, "x"));
}

/** What a class or a dot is tried with, the first that fits. */
const SAMPLES = Array.from(" a1A_-.,;:/<&>@*#[](){}\"'`~|\\+=!?$%^\n\t\r\0é漢\u00a0\u200b😀");

/** One thing that a pattern takes, as a text that it takes: of each letter, class and escape one, in their order. */
function samplesOf({ source, flags }: RegExp): string[] {
  const atoms =
    source.match(
      /\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\k<\w+>|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?<?[=!:]|\(\?<\w+>|\{\d+,?\d*\}|[^]/giu,
    ) ?? [];
  return atoms.flatMap((piece) => {
    if (/^(?:\(|\)$|[*+?|^$]$|\{\d|\\[bB\d]|\\k)/.test(piece)) return [];
    const one = new RegExp(`^(?:${piece})$`, flags.replace(/[gy]/g, ""));
    return SAMPLES.find((sample) => one.test(sample)) ?? (piece.length === 1 ? piece : SAMPLES.filter((sample) => one.test(sample)));
  });
}

/** A text that grows by repeating what a pattern is made of. */
export type GrowingText = { unit: string; of: (times: number) => string };

/** Texts of what a pattern is made of, between what comes before it in the pattern and what ends no match. */
export function growingTexts(pattern: RegExp): GrowingText[] {
  const samples = samplesOf(pattern);
  const units = new Set([...samples, ...samples.map((sample, index) => sample + (samples[index + 1] ?? "")), samples.join("")]);
  const heads = (unit: string) => new Set(["", samples.slice(0, Math.max(0, samples.indexOf(unit[0] ?? ""))).join("")]);
  const tails = ["", "\u0001", "\n\u0001"];
  return [...units]
    .filter((unit) => unit !== "")
    .flatMap((unit) =>
      [...heads(unit)].flatMap((head) => tails.map((tail) => ({ unit, of: (times: number) => head + unit.repeat(times) + tail }))),
    );
}

/** A pattern, of which all matches in a text are sought, or what reads a text. */
type Reader = RegExp | ((text: string) => unknown);

/** Milliseconds that reading a text takes. */
function timeOf(reader: Reader, text: string): number {
  const begin = performance.now();
  if (typeof reader === "function") reader(text);
  else text.replace(reader, "");
  return performance.now() - begin;
}

/** What doubles with each time is seen before it takes for ever, what takes the third power before it takes minutes. */
const FEW_TIMES = [18, 20, 22, 24, 26, 28, 30, 32];
const SHORT = [400, 3_000];
/** What is far too slow is seen in the first, which takes a fraction of the second. */
const LENGTHS = [12_500, 50_000];
/** What takes less for the first length takes less than 50 ms for the second, even if by the third power. */
const QUICK_MS = 0.5;

/** Whether a reader takes over 50 ms for 50 KB of a text, and over threefold of what half of it takes; what is much worse is distinguished from shorter texts. */
export function growsTooFast(reader: Reader, { unit, of }: GrowingText): boolean {
  const times = (length: number) => Math.ceil(length / unit.length);
  for (const few of [...FEW_TIMES, ...SHORT.map(times)]) if (timeOf(reader, of(few)) > 200 && timeOf(reader, of(few)) > 200) return true;
  for (const length of LENGTHS) {
    const [shorter, longer] = [of(times(length / 2)), of(times(length))];
    // Once is enough for what is quick.
    const once = timeOf(reader, longer);
    if (once < QUICK_MS) return false;
    if (once <= 50) continue;
    let [half, whole] = [Infinity, Infinity];
    for (let time = 0; time < 3; time += 1) {
      half = Math.min(half, timeOf(reader, shorter));
      whole = Math.min(whole, timeOf(reader, longer));
    }
    if (whole > 50 && whole > 3 * half) return true;
  }
  return false;
}
