/** The text in a file, `isComplete` unless it was cut at a limit; or why there is none, in words for people; `pages` of a PDF that could be opened. */
export type Extraction = ({ ok: true; text: string; isComplete: boolean } | { ok: false; reason: string }) & { pages?: number };

/** Said of a file whose reading took longer than its upload waited: it is looked again when the file is sent. */
export const STILL_READING = "This file is still being read.";

/** Unpacked bytes that are read of one file, and the largest file that is read as a whole. */
export const EXTRACTION_BYTES = 10 * 1024 * 1024;
/** Characters kept of one file: about 250,000 tokens, more than nearly all models leave to one file. */
export const TEXT_LENGTH = 1_000_000;

/** Text as it is kept: cut at its limit, without what no text holds. Answers `reason` where nothing is left. */
export function toExtraction(text: string, { isComplete, reason }: { isComplete: boolean; reason: string }): Extraction {
  const clean = text.replaceAll("\u0000", "").trim();
  if (clean === "") return { ok: false, reason };
  return { ok: true, text: clean.slice(0, TEXT_LENGTH), isComplete: isComplete && clean.length <= TEXT_LENGTH };
}
