/** Letters and digits of a text as they are compared, and where each stands in it: marks of markdown, spaces and accents count for nothing. */
type Letters = { text: string; places: number[] };
export type Range = { start: number; end: number };

/** A passage with fewer letters left over has changed too much to be recognised. */
const LETTERS_MIN = 8;

/** Where a passage that was found stands in a text now: its first place, or that of as much of its beginning as is still there; null for none. */
export function findPassage(text: string, passage: string): Range | null {
  const sought = lettersOf(passage).text;
  if (sought === "") return null;
  const letters = lettersOf(text);
  // A short word counts only where all of it stands.
  const least = Math.min(sought.length, LETTERS_MIN);
  for (let length = sought.length; length >= least; length = length === least ? 0 : Math.max(least, Math.floor(length / 2))) {
    const at = letters.text.indexOf(sought.slice(0, length));
    if (at === -1) continue;
    let same = length;
    while (same < sought.length && letters.text[at + same] === sought[same]) same += 1;
    const [start = 0, last = 0] = [letters.places[at], letters.places[at + same - 1]];
    return { start, end: last + charLength(text, last) };
  }
  return null;
}

/** The letters and digits of a text, and where each stands in it. */
export function lettersOf(text: string): Letters {
  const letters: string[] = [];
  const places: number[] = [];
  for (let at = 0; at < text.length; at += charLength(text, at)) {
    const code = text.codePointAt(at) ?? 0;
    for (const letter of code < 0x80 ? plain(code) : folded(String.fromCodePoint(code))) {
      letters.push(letter);
      places.push(at);
    }
  }
  return { text: letters.join(""), places };
}

function charLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Nearly all characters are plain ones. */
function plain(code: number): string {
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  if (isLetter) return String.fromCodePoint(code);
  return code >= 0x41 && code <= 0x5a ? String.fromCodePoint(code + 0x20) : "";
}

function folded(char: string): string[] {
  return /^[\p{L}\p{N}\p{So}]/u.test(char) ? char.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().split("") : [];
}
