import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";

/** A slash that asks for a prompt, and what is typed behind it up to the caret. */
export type Slash = { from: number; to: number; query: string };

/** The slash that the caret stands behind: at the start of a line, so no path and no 'and/or' is one. */
export function slashAt(text: string, caret: number): Slash | null {
  const line = text.lastIndexOf("\n", caret - 1) + 1;
  if (text[line] !== "/" || caret <= line || caret - line - 1 > CONTENT_NAME_LENGTH) return null;
  const query = text.slice(line + 1, caret);
  return query.startsWith(" ") || query.startsWith("/") ? null : { from: line, to: caret, query };
}

/** A text with something in a part's place, and where the caret stands behind it. */
export function replacePart(text: string, { from, to }: { from: number; to: number }, by: string): { text: string; caret: number } {
  return { text: text.slice(0, from) + by + text.slice(to), caret: from + by.length };
}

/** The place at a text's end where a prompt goes: below what is written there. */
export function placeAtEnd(text: string): { text: string; from: number; to: number } {
  const trimmed = text.trimEnd();
  const before = trimmed === "" ? "" : `${trimmed}\n\n`;
  return { text: before, from: before.length, to: before.length };
}
