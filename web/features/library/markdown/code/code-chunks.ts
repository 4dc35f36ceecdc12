/** Lines of a block that are seen before it is unfolded, and the size of the pieces that are coloured at a time. */
export const chunkLines = 40;

/** A piece of code that is rendered as one. */
export interface CodeChunk {
  /** Its offset in the code. */
  readonly start: number;
  /** Whole lines with their endings. */
  readonly text: string;
}

/** Counts the lines of a code block. */
export function countLines(code: string): number {
  let lines = 1;
  for (let index = code.indexOf("\n"); index !== -1; index = code.indexOf("\n", index + 1)) lines += 1;
  return lines;
}

/** Splits code into pieces of 40 lines; only the last piece of a growing text changes. */
export function chunkCode(code: string): CodeChunk[] {
  const chunks: CodeChunk[] = [];
  let start = 0;
  let lines = 0;
  for (let index = code.indexOf("\n"); index !== -1; index = code.indexOf("\n", index + 1)) {
    lines += 1;
    if (lines % chunkLines !== 0) continue;
    chunks.push({ start, text: code.slice(start, index + 1) });
    start = index + 1;
  }
  if (start < code.length || chunks.length === 0) chunks.push({ start, text: code.slice(start) });
  return chunks;
}
