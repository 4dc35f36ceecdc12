import { createKeyedStore } from "#web/features/chat/keyed-store.ts";
import { readDraft, writeDraft } from "#web/features/composer/drafts.ts";
import { toast } from "#web/ui/toast.tsx";
import { explain, openRecognition } from "./recognition.ts";

/** A dictation under way: its text stays, or what stood before it comes back. */
export type Dictation = { confirm: () => void; cancel: () => void };

/** The dictation into a composer, by its draft's key. */
export const dictations = createKeyedStore<Dictation | null>(null);

/** Puts spoken words between what stands before and after the cursor, with spaces where words would run together. */
export function insertSpoken(before: string, spoken: string, after: string): string {
  const words = spoken.trim();
  if (words === "") return before + after;
  const space = (left: string, right: string) => (left === "" || right === "" || /\s$/.test(left) || /^\s/.test(right) ? "" : " ");
  return before + space(before, words) + words + space(words, after) + after;
}

/** Writes what is said into a draft at the cursor, as it is heard; it never sends. `start` and `end` are of the selection. */
export function startDictation(draftKey: string, { start, end }: { start: number; end: number }): void {
  const recognition = openRecognition();
  if (!recognition || dictations.get(draftKey)) return;
  const original = readDraft(draftKey);
  let [before, after] = [original.slice(0, start), original.slice(end)];
  let written = original;
  let results = 0;
  /** Results before this one belong to a text that was changed by hand since. */
  let first = 0;

  const finish = () => {
    recognition.onresult = null;
    recognition.onend = null;
    recognition.onerror = null;
    dictations.set(draftKey, null);
  };
  recognition.onresult = (event) => {
    const now = readDraft(draftKey);
    if (now === "" && written !== "") {
      // It was sent.
      finish();
      return recognition.abort();
    }
    if (now !== written) {
      [before, after] = [now, ""];
      first = results;
    }
    results = event.results.length;
    const spoken = Array.from(event.results)
      .slice(first)
      .map((result) => result[0]?.transcript ?? "")
      .join("");
    written = insertSpoken(before, spoken, after);
    writeDraft(draftKey, written);
  };
  recognition.onerror = ({ error }) => {
    const told = explain(error);
    if (told) toast({ ...told, tone: "danger" });
  };
  recognition.onend = finish;
  dictations.set(draftKey, {
    // What is still on its way to being heard arrives before the end.
    confirm: () => recognition.stop(),
    cancel: () => {
      finish();
      recognition.abort();
      writeDraft(draftKey, original);
    },
  });
  try {
    recognition.start();
  } catch {
    finish();
    toast({ title: "Voice input could not begin", description: "Another page may be using it.", tone: "danger" });
  }
}
