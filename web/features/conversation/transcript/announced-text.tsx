import { toPlainText } from "#shared/markdown/plain-text.ts";

/** Characters of an answer that are read out; what is longer can be read in its turn, and laying it out here would hold up the page. */
const ANNOUNCED_LENGTH = 5_000;

/** An answer as it is read out: its words, without the signs that set them. */
export function AnnouncedText({ markdown }: { markdown: string }) {
  return toPlainText(markdown, ANNOUNCED_LENGTH);
}
