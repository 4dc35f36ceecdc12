import { type KeyedStore, useKeyed } from "./keyed-store.ts";

/** What was typed into a form and not saved, with the values that it was typed over. */
export type DraftWithBase<T> = { draft: T; base: T };

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
export function forgetWhenSaved<T>(store: KeyedStore<T | null>, key: string | undefined) {
  return {
    onMutate: () => (key === undefined ? null : store.get(key)),
    forget(sent: T | null) {
      if (key !== undefined && store.get(key) === sent) store.set(key, null);
    },
  };
}

/** A form that outlives its pane, over what is saved: the same thing may be changed in another tab, or on another device. */
export function useDraftForm<T extends Fields>(store: KeyedStore<DraftWithBase<T> | null>, key: string, saved: T) {
  const { draft, base, clashes } = rebaseDraft(useKeyed(store, key), saved);
  return {
    draft,
    hasClash: clashes.length > 0,
    change: (fields: Partial<T>) => store.set(key, { draft: { ...draft, ...fields }, base }),
    /** What was changed here holds, although it was changed elsewhere. */
    overwrite: () => store.set(key, { draft, base: saved }),
    forget: () => store.set(key, null),
  };
}
