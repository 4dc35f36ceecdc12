/** A piece of running text, or the number of a citation in it. */
export type CitedPart = { text: string } | { number: number };

/** `[3]`, `[1, 2]` and the `【4】` that some models write; not the checkbox or footnote that another character makes of it. */
const MARK = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]|【(\d{1,3})】/g;

/**
 * Splits running text at the marks of citations that exist (numbered from 1 to `count`). A mark of anything else stays text.
 * The space before a mark goes, so its chip never starts a line.
 */
export function splitCitations(text: string, count: number): CitedPart[] {
  const parts: CitedPart[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    const numbers = (match[1] ?? match[2] ?? "").split(",").map(Number);
    if (numbers.some((number) => number < 1 || number > count)) continue;
    const before = text.slice(end, match.index).replace(/(?<![ \t])[ \t]+$/, "");
    if (before !== "") parts.push({ text: before });
    for (const number of numbers) parts.push({ number });
    end = match.index + match[0].length;
  }
  if (end === 0) return [{ text }];
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** The numbers of all citations that a text marks, in order and each once. */
export function citedNumbers(text: string, count: number): number[] {
  const marked = splitCitations(text, count).flatMap((part) => ("number" in part ? [part.number] : []));
  return [...new Set(marked)].toSorted((a, b) => a - b);
}
