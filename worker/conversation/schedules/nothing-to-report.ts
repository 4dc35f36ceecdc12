/** What a model answers exactly where its schedule has nothing to say: then nobody is disturbed. */
export const NOTHING_TO_REPORT = "Nothing to report.";

/** True for that answer, whatever marks surround it. */
export function isNothingToReport(text: string): boolean {
  return text.length < 60 && /^nothing to report$/i.test(text.replaceAll(/[*_"'`\u2018-\u201D.!]/g, "").trim());
}
