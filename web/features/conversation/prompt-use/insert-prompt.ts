import { splitSteps } from "#shared/library/chain.ts";
import { flushDrafts, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { STEP_BREAK, insertedSteps, mayBeChain, sentAsOne } from "#web/features/conversation/queue/queue-route.ts";
import type { Place } from "#web/features/conversation/composer/prompt-use-store.ts";
import { placeAtEnd, replacePart } from "./slash.ts";

/** The field of the composer on screen. */
export function composerField(): HTMLTextAreaElement | null {
  return document.querySelector("[data-composer] textarea");
}

/** Puts a prompt's steps into a composer, where the slash stood or below what is written, and the caret behind them. */
export function insertSteps(draftKey: string, texts: readonly string[], place: Place | null): void {
  const draft = readDraft(draftKey);
  const at = place ? { text: draft, ...place } : placeAtEnd(draft);
  const { text, caret } = replacePart(at.text, at, texts.join(STEP_BREAK));
  writeDraft(draftKey, text);
  flushDrafts();
  // What was filled in may hold lines of dashes: it is no step by that.
  const isSplitElsewhere = splitSteps(text).length !== texts.length;
  if (texts.length === 1 && isSplitElsewhere) sentAsOne.set(draftKey, true);
  const [before, after] = [at.text.slice(0, at.from), at.text.slice(at.to)];
  const isAlone = !mayBeChain(before) && !mayBeChain(after);
  const steps = texts.map((step, index) => (index === 0 ? before : "") + step + (index === texts.length - 1 ? after : ""));
  insertedSteps.set(draftKey, texts.length > 1 && isSplitElsewhere && isAlone ? { text, steps } : null);
  focusComposer(caret);
}

/** What is written in a composer, and the place of all of it, for a prompt that it is to follow; null where nothing is. */
export function allOf(draftKey: string): { text: string; place: Place } | null {
  const draft = readDraft(draftKey);
  const text = draft.trim();
  return text === "" ? null : { text, place: { from: 0, to: draft.length } };
}

/** Takes what is to follow a prompt out of a composer, as it is sent with it; what else is written there stays. */
export function withoutTail(draftKey: string, place: Place | null): string {
  const draft = readDraft(draftKey);
  return place ? replacePart(draft, place, "").text.trimEnd() : draft;
}

/** Gives the composer the focus, with the caret at a place or where it was. */
export function focusComposer(caret: number | null): void {
  requestAnimationFrame(() => {
    const field = composerField();
    field?.focus({ preventScroll: true });
    if (!field || caret === null) return;
    field.setSelectionRange(caret, caret);
    if (caret === field.value.length) field.scrollTo(0, field.scrollHeight);
  });
}
