import { createKeyedStore } from "#web/features/chat/keyed-store.ts";

/** What goes on by voice at a composer. None of it ever sends. */
export type Voice =
  /** The browser writes what it hears: its text stays, or what stood before it comes back. */
  | { kind: "listening"; confirm: () => void; cancel: () => void }
  /** The browser asks whether it may use the microphone. */
  | { kind: "opening"; cancel: () => void }
  /** `level` is how loud it is now, 0 to 1; `startedAt` in epoch milliseconds. */
  | { kind: "recording"; startedAt: number; level: () => number; confirm: () => void; cancel: () => void }
  | { kind: "transcribing"; cancel: () => void }
  /** A recording that has not become words; `retry` is null where another try would end the same. */
  | { kind: "kept"; message: string; retry: (() => void) | null; discard: () => void };

/** What goes on by voice, by the key of its composer's draft. */
export const voices = createKeyedStore<Voice | null>(null);

/** The part of a draft's text that spoken words replace. */
export type Place = { start: number; end: number };
