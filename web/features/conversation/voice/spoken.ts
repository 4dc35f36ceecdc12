import { readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import type { Place } from "./voices.ts";

/** Puts spoken words between what stands before and after the cursor, with spaces where words would run together. */
export function insertSpoken(before: string, spoken: string, after: string): string {
  const spokenText = spoken.trim();
  if (spokenText === "") return before + after;
  const space = (left: string, right: string) => (left === "" || right === "" || /\s$/.test(left) || /^\s/.test(right) ? "" : " ");
  return before + space(before, spokenText) + spokenText + space(spokenText, after) + after;
}

/** How to write words into a draft later: where the cursor is now, or at the end of a text that was changed since. */
export function prepareInsertion(draftKey: string, { start, end }: Place): (spoken: string) => void {
  const original = readDraft(draftKey);
  return (spoken) => {
    const now = readDraft(draftKey);
    const [before, after] = now === original ? [now.slice(0, start), now.slice(end)] : [now, ""];
    writeDraft(draftKey, insertSpoken(before, spoken, after));
  };
}
