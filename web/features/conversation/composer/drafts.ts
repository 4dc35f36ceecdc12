import { useCallback, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { onOwnerChange, storedForOwner } from "#web/lib/own-storage.ts";
import { createListeners } from "#web/lib/store.ts";

/** How long typing may pause before the draft is written down, in milliseconds. */
const WRITE_DELAY_MS = 300;

/** Where what belongs to the chat that does not exist yet is kept. */
export const NEW_CHAT = "new";

const texts = new Map<string, string>();
const { notify, subscribe } = createListeners();
const unwritten = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

function store(key: string) {
  return storedForOwner("draft", key, z.string(), "");
}

/** The text typed and not sent in a chat. */
export function readDraft(key: string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = store(key).read();
  texts.set(key, text);
  return text;
}

/** Keeps a draft: at once for this page, shortly after for the next one. */
export function writeDraft(key: string, text: string): void {
  texts.set(key, text);
  unwritten.add(key);
  notify();
  clearTimeout(timer);
  timer = setTimeout(flushDrafts, WRITE_DELAY_MS);
}

/** Writes down what is still only in memory. */
export function flushDrafts(): void {
  clearTimeout(timer);
  for (const key of unwritten) {
    const text = texts.get(key) ?? "";
    if (text === "") store(key).remove();
    else store(key).write(text);
  }
  unwritten.clear();
}

/** Forgets a draft, in memory and in the browser. */
export function clearDraft(key: string): void {
  writeDraft(key, "");
  flushDrafts();
}

/** True while something is typed. */
export function useHasDraft(key: string): boolean {
  return useSyncExternalStore(
    onDraftChange,
    useCallback(() => readDraft(key) !== "", [key]),
  );
}

/** A draft and its setter. */
export function useDraft(key: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(
    onDraftChange,
    useCallback(() => readDraft(key), [key]),
  );
  return [text, useCallback((next: string) => writeDraft(key, next), [key])];
}

/** Hears of every change of a draft, those by sending included; returns how to stop. */
export function onDraftChange(listener: () => void): () => void {
  return subscribe(listener);
}

onOwnerChange({
  flush: flushDrafts,
  adopt() {
    // What could not be written down lives on in memory.
    for (const [key, text] of texts) texts.set(key, store(key).read() || text);
    notify();
  },
  forget() {
    texts.clear();
    notify();
  },
});

if (typeof addEventListener === "function") {
  addEventListener("pagehide", flushDrafts);
  addEventListener("visibilitychange", flushDrafts);
}
