import { type RefObject, useEffect, useLayoutEffect } from "react";
import { readDraft, writeDraft } from "./drafts.ts";
import { isTouchDevice } from "./use-composer-focus.ts";

/** The composer that web/index.html holds until the real one is there. */
function findEarly(): { frame: Element; field: HTMLTextAreaElement } | null {
  const frame = document.querySelector("#early");
  const field = frame?.querySelector("textarea");
  return frame && field ? { frame, field } : null;
}

let wantsSend = false;

type Taker = { draftKey: string; text: string; send: () => void };

/** Focuses the early composer, and notes an Enter in it, which means sending as it does in the real one. Call it once, before anything is drawn. */
export function watchEarlyText(): void {
  const field = findEarly()?.field;
  if (!isTouchDevice()) field?.focus({ preventScroll: true });
  field?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || isTouchDevice()) return;
    event.preventDefault();
    wantsSend ||= field.value.trim() !== "";
  });
}

/** Takes the early composer off the page, where nothing took it over. */
export function useEarlyTextGone(): void {
  useEffect(() => findEarly()?.frame.remove(), []);
}

/** Takes over what was typed before the code was there, and the focus; sends it where Enter was pressed on it. */
export function useEarlyText(ref: RefObject<HTMLTextAreaElement | null>, { draftKey, text, send }: Taker): void {
  // Before the first paint, so that there is always one composer.
  useLayoutEffect(() => {
    const early = findEarly();
    if (!early) return;
    const hadFocus = document.activeElement === early.field;
    const { value } = early.field;
    early.frame.remove();
    if (value !== "") writeDraft(draftKey, readDraft(draftKey) + value);
    if (hadFocus) ref.current?.focus({ preventScroll: true });
  }, [ref, draftKey]);
  // Not before the composer itself holds the text.
  useEffect(() => {
    if (!wantsSend || findEarly() || text === "" || text !== readDraft(draftKey)) return;
    wantsSend = false;
    send();
  });
}
