import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** What goes on by voice at a composer. None of it ever sends. */
export type Voice =
  /** The browser writes what it hears: its text stays, or what stood before it comes back. */
  | { kind: "listening"; confirm: () => void; cancel: () => void }
  /** The browser asks whether it may use the microphone. */
  | { kind: "opening"; cancel: () => void }
  /** `level` is how loud it is now, 0 to 1; `startedAt` in epoch milliseconds. */
  | { kind: "recording"; startedAt: number; level: () => number; confirm: () => void; cancel: () => void };

/** What goes on by voice, by the key of its composer's draft. */
export const voices = createKeyedStore<Voice | null>(null);

/** A recording that has not become words yet; `at` is when it began, in epoch milliseconds. */
export type Waiting = { id: string; at: number } & (
  | { kind: "transcribing"; cancel: () => void }
  /** `retry` is null where another try would end the same. */
  | { kind: "kept"; message: string; retry: (() => void) | null; discard: () => void }
);

const NONE: readonly Waiting[] = [];

/** The recordings at each composer, by the key of its draft, the oldest first. */
export const waiting = createKeyedStore<readonly Waiting[]>(NONE);

/** Puts a recording among those of its draft, in place of how it stood before; null takes it away. */
export function setWaiting(draftKey: string, id: string, now: Waiting | null): void {
  const others = waiting.get(draftKey).filter((other) => other.id !== id);
  waiting.set(draftKey, now ? [...others, now].toSorted((one, other) => one.at - other.at) : others);
}

/** The part of a draft's text that spoken words replace. */
export type Place = { start: number; end: number };
