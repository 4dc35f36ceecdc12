/** Cuts a long text into chunks that are each found by themselves: a row holds 2 MB. */

/** Characters of a chunk; a typed message is always one (MESSAGE_LENGTH). */
export const CHUNK_LENGTH = 200_000;
/** Characters that a chunk has in common with the one before it, so no phrase is cut apart. */
const OVERLAP = 1_000;
/** A space is looked for this many characters back, so no word is cut apart. */
const WORD_LENGTH = 200;

/** The chunks of a text in order, none of it left out; of an empty text there are none. */
export function splitIntoChunks(text: string): string[] {
  const chunks: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + CHUNK_LENGTH >= text.length ? text.length : cutBefore(text, from + CHUNK_LENGTH);
    chunks.push(text.slice(from, end));
    from = end === text.length ? end : cutBefore(text, end - OVERLAP);
  }
  return chunks;
}

/** The place at or before `end` at which a text is best cut: after a space, never within a character. */
function cutBefore(text: string, end: number): number {
  const space = text.lastIndexOf(" ", end - 1);
  if (space > end - WORD_LENGTH) return space + 1;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}
