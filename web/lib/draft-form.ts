import { createKeyedStore, type KeyedStore, useKeyed } from "./keyed-store.ts";

/** What was typed into a form and not saved, with the values that it was typed over. */
export type DraftWithBase<T> = { draft: T; base: T };

/** The drafts of a form, by the id of what it changes, or for something new by whose it is. */
export type Drafts<T> = KeyedStore<DraftWithBase<T> | null>;

/** Keeps what was written in forms and not saved: closing one does not lose it. */
export function createDrafts<T>(): Drafts<T> {
  return createKeyedStore<DraftWithBase<T> | null>(null);
}

/** What a form says where saving would replace what another tab or device has saved meanwhile. */
export const CHANGED_ELSEWHERE = "This was changed elsewhere meanwhile. Save again to keep what stands here.";

type Fields = Readonly<Record<string, unknown>>;

/** A kept form over what is saved by now: the fields that were changed here stay, all others follow; and which were changed to something else in both. */
export function rebaseDraft<T extends Fields>(kept: DraftWithBase<T> | null, saved: T): DraftWithBase<T> & { clashes: string[] } {
  const clashes: string[] = [];
  let [draft, base] = [saved, saved];
  if (kept === null) return { draft, base, clashes };
  for (const field of Object.keys(saved)) {
    if (isSame(kept.draft[field], kept.base[field])) continue;
    draft = { ...draft, [field]: kept.draft[field] };
    if (isSame(saved[field], kept.base[field]) || isSame(saved[field], kept.draft[field])) continue;
    base = { ...base, [field]: kept.base[field] };
    clashes.push(field);
  }
  return { draft, base, clashes };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Callbacks of a change that saves what a form keeps: it is forgotten once it is saved, though the form be closed by then; what was typed
 * since stays. Without a key nothing is kept.
 */
export function forgetWhenSaved<T, Answer>(
  drafts: Drafts<T>,
  key: string | undefined,
  onSaved: (answer: Answer) => void = () => undefined,
) {
  return {
    onMutate: () => (key === undefined ? null : drafts.get(key)),
    onSuccess(answer: Answer, _sent: unknown, draft: DraftWithBase<T> | null) {
      if (key !== undefined && drafts.get(key) === draft) drafts.set(key, null);
      onSaved(answer);
    },
  };
}

/** A form that outlives its pane, over what is saved: the same thing may be changed in another tab, or on another device. */
export function useDraftForm<T extends Fields>(drafts: Drafts<T>, key: string, saved: T) {
  const { draft, base, clashes } = rebaseDraft(useKeyed(drafts, key), saved);
  return {
    draft,
    hasClash: clashes.length > 0,
    change: (fields: Partial<T>) => drafts.set(key, { draft: { ...draft, ...fields }, base }),
    /** What was changed here holds, although it was changed elsewhere. */
    overwrite: () => drafts.set(key, { draft, base: saved }),
    forget: () => drafts.set(key, null),
  };
}
