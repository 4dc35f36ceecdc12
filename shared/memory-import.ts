import type { MemoryImport } from "./entities/memory.ts";
import { MEMORY_IMPORT_ENTRIES, MEMORY_IMPORT_LENGTH } from "./limits.ts";
import { isBlank } from "./shown-text.ts";

/** What another assistant is asked for, so its answer can be pasted. */
export const MEMORY_IMPORT_PROMPT =
  "List everything you remember about me: facts, preferences, people, projects, how I like answers. One fact a line, in the third person, at most 20 words each. No headings, no numbering, no comments, nothing you are unsure of.";

/** What is wrong with a pasted list, in the words of the form and of the API. */
export const MEMORY_IMPORT_PROBLEMS = {
  noEntries: "No valid entries",
  long: `That list is too long: it may have ${MEMORY_IMPORT_LENGTH.toLocaleString("en")} characters.`,
  many: `That list is too long: it may have ${MEMORY_IMPORT_ENTRIES.toLocaleString("en")} facts.`,
} as const;

/** What stands before a line's text in a list. */
const BULLET = /^(?:[-*•–—]|\(?\d{1,3}[.)])(?:\s+|$)/u;

/** The facts of a pasted text, one a line, without the marks of a list; and how many lines were blank. */
export function splitMemories(text: string): { entries: string[]; blank: number } {
  const lines = text.trim() === "" ? [] : text.trim().split(/\r\n|\r|\n/u);
  const entries = lines.map((line) => line.trim().replace(BULLET, "").trim()).filter((line) => !isBlank(line));
  return { entries, blank: lines.length - entries.length };
}

/** What became of an imported list, in words: `3 added, 1 duplicate, 0 failed`. */
export function importReport({ added, duplicate, failed }: Pick<MemoryImport, "added" | "duplicate" | "failed">): string {
  return `${added} added, ${duplicate} ${duplicate === 1 ? "duplicate" : "duplicates"}, ${failed} failed`;
}
