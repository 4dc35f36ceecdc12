import { useSyncExternalStore } from "react";
import { guessLanguage, toSpeech } from "./speakable.ts";

/** What is read aloud right now, by its message's id; one at a time. */
type Reading = { messageId: string; isPaused: boolean };

let reading: Reading | null = null;
/** Counts readings, as an utterance that was called off may tell its end late. */
let turn = 0;
const listeners = new Set<() => void>();

function show(next: Reading | null): void {
  reading = next;
  for (const listener of listeners) listener();
}

/** Reads a message from its start; what was being read ends. */
export function read(messageId: string, markdown: string): void {
  speechSynthesis.cancel();
  const pieces = toSpeech(markdown);
  if (pieces.length === 0) return show(null);
  const own = (turn += 1);
  const language = guessLanguage(pieces.join(" "), navigator.language);
  for (const [index, piece] of pieces.entries()) {
    const utterance = new SpeechSynthesisUtterance(piece);
    utterance.lang = language;
    const end = () => own === turn && show(null);
    if (index === pieces.length - 1) utterance.addEventListener("end", end);
    utterance.addEventListener("error", ({ error }) => {
      // Called off is what 'Stop' and the next reading do.
      if (error !== "canceled" && error !== "interrupted") end();
    });
    speechSynthesis.speak(utterance);
  }
  speechSynthesis.resume();
  return show({ messageId, isPaused: false });
}

/** Pauses what is read, or goes on with it. */
export function togglePause(): void {
  if (!reading) return;
  if (reading.isPaused) speechSynthesis.resume();
  else speechSynthesis.pause();
  show({ ...reading, isPaused: !reading.isPaused });
}

/** Ends what is read; of one message where its id is given. */
export function stopReading(messageId?: string): void {
  if (!reading || (messageId !== undefined && reading.messageId !== messageId)) return;
  speechSynthesis.cancel();
  show(null);
}

/** How this message is read right now; null where it is not. */
export function useReading(messageId: string): Reading | null {
  return useSyncExternalStore(subscribe, () => (reading?.messageId === messageId ? reading : null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// A page that is left would go on speaking.
addEventListener("pagehide", () => stopReading());
