import type { KeyedStore } from "./keyed-store.ts";
import type * as z from "zod/mini";
import { onOwnerChange, type OwnKind, storedForOwner } from "./own-storage.ts";
import { createListeners } from "./store.ts";

/** Values by key that outlive the page: each is kept in this browser, for whoever is here, until it is the fallback again. */
export function createPersistentStore<T>(kind: OwnKind, schema: z.ZodMiniType<T>, fallback: T): KeyedStore<T> {
  const values = new Map<string, T>();
  const { notify, subscribe } = createListeners();
  const store = (key: string) => storedForOwner(kind, key, schema, fallback);
  const get = (key: string): T => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const stored = store(key).read();
    values.set(key, stored);
    return stored;
  };
  onOwnerChange({
    adopt() {
      for (const [key, value] of values) if (Object.is(value, fallback)) values.delete(key);
      notify();
    },
    forget() {
      values.clear();
      notify();
    },
  });
  return {
    get,
    set(key, value) {
      if (Object.is(get(key), value)) return;
      values.set(key, value);
      if (Object.is(value, fallback)) store(key).remove();
      else store(key).write(value);
      notify();
    },
    subscribe,
  };
}
