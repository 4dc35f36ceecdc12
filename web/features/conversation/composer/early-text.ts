import { type RefObject, useEffect, useLayoutEffect, useReducer } from "react";
import { readDraft, writeDraft } from "./drafts.ts";
import { isTouchDevice } from "#web/lib/device.ts";

/** The composer that web/index.html holds until the real one is there. */
function findEarly(): { frame: Element; field: HTMLTextAreaElement } | null {
  const frame = document.querySelector("#early");
  const field = frame?.querySelector("textarea");
  return frame && field ? { frame, field } : null;
}

let wantsSend = false;
let isBeingTaken = false;
/** Where the cursor, or what is selected, stood in what was typed, until the real composer holds the text. */
let caret: { start: number; end: number } | null = null;
/** Shortcuts pressed while nothing listened yet. */
let pressed: KeyboardEvent[] = [];
const watching = new AbortController();

type EarlyTextTarget = { draftKey: string; text: string; send: () => void };

/**
 * Focuses the early composer, and notes an Enter in it, which means sending as it does in the real one, and any shortcut.
 * Call it once, before anything is drawn.
 */
export function watchEarlyComposer(): void {
  const field = findEarly()?.field;
  window.addEventListener(
    "keydown",
    (event) => {
      const isShortcut = event.ctrlKey || event.metaKey || (event.key === "?" && event.target !== field);
      if (isShortcut && !event.altKey && !event.isComposing) pressed.push(event);
    },
    { capture: true, signal: watching.signal },
  );
  if (!isTouchDevice()) field?.focus({ preventScroll: true });
  field?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || isTouchDevice()) return;
    event.preventDefault();
    wantsSend ||= field.value.trim() !== "";
  });
}

/** Takes the early composer off the page, where nothing takes it over, and presses once more what was pressed too early. */
export function useRemoveEarlyComposer(): void {
  useEffect(() => {
    if (!isBeingTaken) findEarly()?.frame.remove();
    watching.abort();
    const [shortcuts, target] = [pressed, document.activeElement ?? document.body];
    pressed = [];
    for (const { key, code, ctrlKey, metaKey, shiftKey } of shortcuts) {
      target.dispatchEvent(new KeyboardEvent("keydown", { key, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true }));
    }
  }, []);
}

/** Takes over what was typed before the code was there, and the focus; sends it where Enter was pressed on it. */
export function useAdoptEarlyText(ref: RefObject<HTMLTextAreaElement | null>, { draftKey, text, send }: EarlyTextTarget): void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  // Before the first paint, so there is always one composer to be seen.
  useLayoutEffect(() => {
    const early = findEarly();
    if (!early) return undefined;
    const { frame, field } = early;
    const before = readDraft(draftKey);
    let taken = "";
    const take = () => {
      if (field.value !== taken) writeDraft(draftKey, before + field.value);
      taken = field.value;
    };
    take();
    isBeingTaken = true;
    const finish = () => {
      if (!frame.isConnected) return;
      take();
      if (document.activeElement === field) ref.current?.focus({ preventScroll: true });
      if (!wantsSend) caret = { start: before.length + field.selectionStart, end: before.length + field.selectionEnd };
      placeCaret(ref.current);
      frame.remove();
      if (wantsSend) drawAgain();
    };
    if (document.activeElement !== field) {
      finish();
      return undefined;
    }
    // Giving the focus lays the page out, a second time if at once: until it is painted the early field takes the keys, unseen.
    frame.classList.add("pointer-events-none", "opacity-0");
    field.removeAttribute("aria-label");
    field.removeAttribute("placeholder");
    const stop = afterPaint(finish);
    return () => {
      stop();
      finish();
    };
  }, [ref, draftKey]);
  useLayoutEffect(() => placeCaret(ref.current));
  // Not before the composer itself holds the text.
  useEffect(() => {
    if (!wantsSend || findEarly() || text === "" || text !== readDraft(draftKey)) return;
    wantsSend = false;
    send();
  });
}

function placeCaret(field: HTMLTextAreaElement | null): void {
  if (caret === null || field === null || field.value.length < caret.end) return;
  field.setSelectionRange(caret.start, caret.end);
  caret = null;
}

/** Runs `work` once the next frame is painted; returns how to call it off. */
function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
