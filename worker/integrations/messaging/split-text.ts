import { TEXT_LENGTH } from "#worker/platform/clients/whatsapp/send.ts";

const FENCE = "```";

/** A text as messages of at most `limit` characters, cut between paragraphs, else lines, sentences or words; a block of code goes on as one. */
export function splitText(text: string, limit = TEXT_LENGTH): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > limit) {
    // Room for closing a block of code.
    const at = borderOf(rest, limit - FENCE.length - 1);
    let part = rest.slice(0, at).trimEnd();
    rest = rest.slice(at).trimStart();
    const isOpen = part.split(FENCE).length % 2 === 0;
    if (isOpen) {
      part = `${part}\n${FENCE}`;
      rest = `${FENCE}\n${rest}`;
    }
    parts.push(part);
  }
  return rest === "" ? parts : [...parts, rest];
}

/** The last border of the best kind in the later half of what fits; where there is none, between two characters. */
function borderOf(text: string, limit: number): number {
  const head = text.slice(0, limit);
  for (const border of [/\n\n/g, /\n/g, /[.!?…。！？]["'”’)\]]*\s/gu, /\s/g]) {
    const last = [...head.matchAll(border)].at(-1);
    if (last && last.index >= limit / 2) return last.index + last[0].length;
  }
  const graphemes = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text.slice(Math.max(0, limit - 64), limit + 1))];
  const before = graphemes.at(-1)?.index ?? 0;
  return before > 0 ? Math.max(0, limit - 64) + before : limit;
}
