export type Edit = { old_text: string; new_text: string };

/** So many places are counted: in a long text one letter stands at a million. */
const COUNTED = 10;

/** A text after these replacements, or why one cannot be made, in words from which a model can correct its call. */
export function replaceExactly(text: string, edits: readonly Edit[]): { ok: true; text: string } | { ok: false; error: string } {
  let changed = text;
  for (const [place, { old_text: old, new_text: next }] of edits.entries()) {
    const at = changed.indexOf(old);
    if (at === -1)
      return {
        ok: false,
        error: `${named(place, edits)} its old_text is not in the artifact. ${missing(changed, old)} Nothing was changed.`,
      };
    const times = countOf(changed, old);
    if (times > 1) {
      const often = times < COUNTED ? `${times} times` : `${COUNTED} or more times`;
      return {
        ok: false,
        error: `${named(place, edits)} its old_text stands in the artifact ${often}. Add words before or after it, so that it stands there once. Nothing was changed.`,
      };
    }
    changed = changed.slice(0, at) + next + changed.slice(at + old.length);
  }
  return { ok: true, text: changed };
}

function named(place: number, edits: readonly Edit[]): string {
  return edits.length === 1 ? "This replacement cannot be made:" : `Replacement ${place + 1} of ${edits.length} cannot be made:`;
}

function missing(text: string, old: string): string {
  const flat = (given: string) => given.replaceAll(/\s+/g, " ").trim();
  if (flat(text).includes(flat(old))) return "Only its spaces or line breaks differ: copy them exactly from readArtifact.";
  return "Read it with readArtifact and copy the text exactly; somebody may have changed it meanwhile.";
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1 && count < COUNTED; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}
