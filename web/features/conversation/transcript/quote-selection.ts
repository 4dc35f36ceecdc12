import { openPromptList, selections } from "#web/features/conversation/composer/prompt-use-store.ts";
import { flushDrafts, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";

/** The text that is selected within one answer, and where it ends on the screen; null where there is none. */
export function selectedInAnswer(): { text: string; place: DOMRect } | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const common = range.commonAncestorContainer;
  const element = common instanceof Element ? common : common.parentElement;
  const text = selection.toString().trim();
  const place = [...range.getClientRects()].findLast(({ width }) => width > 0);
  return element?.closest("[data-answer]") && text !== "" && place ? { text, place } : null;
}

/** A text as a markdown quote, with an empty line below it to go on from. */
export function toQuote(text: string): string {
  return `${text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n")}\n\n`;
}

/** Puts a quote into the composer, below what is written there, and the caret below the quote. */
export function askAbout(text: string, draftKey: string): void {
  const before = readDraft(draftKey).trimEnd();
  writeDraft(draftKey, (before === "" ? "" : `${before}\n\n`) + toQuote(text));
  flushDrafts();
  selections.set(draftKey, text);
  getSelection()?.removeAllRanges();
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
    field?.scrollTo(0, field.scrollHeight);
  });
}

/** Keeps a selected text for a prompt that is chosen now. */
export function promptAbout(text: string, draftKey: string): void {
  selections.set(draftKey, text);
  getSelection()?.removeAllRanges();
  openPromptList(draftKey);
}
