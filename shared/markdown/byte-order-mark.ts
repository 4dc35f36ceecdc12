import type { Root } from "mdast";
import type { KnownReferences } from "./known-references.ts";

export type Parse = (text: string, known?: KnownReferences) => Root;

const MARK = "\uFEFF";

/** The text without the mark that some files begin with, which the parser drops together with its place. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

/** A parse of pieces of a text: a mark at a piece's start stands within the text, where the parser keeps it. */
export function keepingMarks(parse: Parse): Parse {
  return (text, known) => parse(text.startsWith(MARK) ? MARK + text : text, known);
}
