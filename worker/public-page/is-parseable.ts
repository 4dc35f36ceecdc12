/**
 * A paragraph with more of the characters that open and close markup takes seconds to parse, as each is tried against all before it;
 * answers have some dozens. Code in fences is not tried.
 */
const PARAGRAPH_MARKS = 1_500;

const FENCED = /^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm;

/** False for a text that was made to keep its reader busy. */
export function isParseable(markdown: string): boolean {
  return markdown
    .replaceAll(FENCED, "\n\n")
    .split(/\n\s*\n/)
    .every((paragraph) => paragraph.length <= PARAGRAPH_MARKS || countMarks(paragraph) <= PARAGRAPH_MARKS);
}

function countMarks(text: string): number {
  return text.length - text.replaceAll(/[*_~[\]<`]/g, "").length;
}
