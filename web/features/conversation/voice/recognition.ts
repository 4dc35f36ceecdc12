import { MICROPHONE_BLOCKED, NO_MICROPHONE } from "./microphone-errors.ts";

/** What is used of the browser's speech recognition, which its type library does not know. */
export type Recognition = {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
};

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Window {
    SpeechRecognition?: new () => Recognition;
    webkitSpeechRecognition?: new () => Recognition;
  }
}

/** True where this browser turns speech into text. */
export function canRecognize(): boolean {
  return Boolean(window.SpeechRecognition ?? window.webkitSpeechRecognition);
}

/** Speech recognition in the language of the browser that goes on until it is stopped; null where there is none. */
export function openRecognition(): Recognition | null {
  const Speech = window.SpeechRecognition ?? window.webkitSpeechRecognition;
  if (!Speech) return null;
  const recognition = new Speech();
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.lang = navigator.language;
  return recognition;
}

const EXPLANATIONS: Record<string, { title: string; description: string }> = {
  "not-allowed": MICROPHONE_BLOCKED,
  "audio-capture": NO_MICROPHONE,
  network: {
    title: "Speech could not be recognised",
    description: "The browser's speech service cannot be reached. What was heard is kept.",
  },
};

/** What to say of a failure; null for what ended by itself and needs no message. */
export function explain(error: string): { title: string; description: string } | null {
  if (error === "aborted" || error === "no-speech") return null;
  const known = error === "service-not-allowed" ? "not-allowed" : error;
  return EXPLANATIONS[known] ?? { title: "Voice input ended", description: "What was heard is kept." };
}
