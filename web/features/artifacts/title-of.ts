/** Characters of a title that is taken from a text. */
const LENGTH = 80;

/** What a text can be called: its first heading, else how it begins; empty for an empty one. */
export function titleOf(text: string): string {
  const heading = /^#{1,6}[ \t]+(.+?)[ \t]*#*$/m.exec(text)?.[1];
  const line = heading ?? text.split("\n").find((part) => part.trim() !== "" && !/^\s*(?:```|~~~|\|)/.test(part)) ?? "";
  const plain = line.replaceAll(/[*`~]|(?<!\w)_+|_+(?!\w)|^\s*(?:[-*+]|\d+[.)]|>)\s+/g, "").trim();
  if (plain.length <= LENGTH) return plain;
  const cut = plain.slice(0, LENGTH);
  return cut.slice(0, Math.max(cut.lastIndexOf(" "), LENGTH / 2)).toWellFormed();
}

/** A block of code as a document: in a fence that is longer than any in it. */
export function fenced(code: string, language: string): string {
  const longest = Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length).reduce((most, length) => Math.max(most, length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}\n`;
}
