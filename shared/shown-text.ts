/** Something that is seen: neither blank nor a control nor made to be invisible, as the blank of Braille is by its look alone. */
const SEEN = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** What turns the direction of all that follows, and so of the words around a name. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** True for a text in which nothing is seen, though it may have characters. */
export function isBlank(text: string): boolean {
  return !SEEN.test(text);
}

/** A name as it is kept: trimmed, on one line, nothing in it that changes what stands around it; empty where nothing of it is seen. */
export function plainName(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll("\u0000", "")
    .replaceAll(TURNS, "")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return isBlank(line) ? "" : line;
}
