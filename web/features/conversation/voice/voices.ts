import { createKeyedStore } from "#web/lib/keyed-store.ts";
import { readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";

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
