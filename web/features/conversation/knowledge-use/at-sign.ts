import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { replacePart, type Slash } from "#web/features/conversation/prompt-use/slash.ts";

/** The at sign that the caret stands behind, with what is typed behind it: at the start of a word, so no mail address has one. */
export function atSignAt(text: string, caret: number): Slash | null {
  const line = text.lastIndexOf("\n", caret - 1) + 1;
  const from = text.lastIndexOf("@", caret - 1);
  if (from < line || caret <= from || caret - from - 1 > CONTENT_NAME_LENGTH) return null;
  if (from > line && /[^\s(]/.test(text[from - 1] ?? "")) return null;
  const query = text.slice(from + 1, caret);
  return query.startsWith(" ") ? null : { from, to: caret, query };
}

/** A text without the at sign and what was typed behind it, and where the caret stands then; no two spaces are left. */
export function withoutSign(text: string, { from, to }: { from: number; to: number }): { text: string; caret: number } {
  const isDouble = text[to] === " " && (from === 0 || /\s/.test(text[from - 1] ?? ""));
  return replacePart(text, { from, to: isDouble ? to + 1 : to }, "");
}
