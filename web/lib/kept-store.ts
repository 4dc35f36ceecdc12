import type { KeyedStore } from "./keyed-store.ts";
import type { Shape } from "./shape.ts";
import { holdOwn, type OwnKind, ownStored } from "./own-storage.ts";
import { createListeners } from "./store.ts";

/** Values by key that outlive the page: each is kept in this browser, for whoever is here, until it is the fallback again. */
export function createKeptStore<T>(kind: OwnKind, shape: Shape<T>, fallback: T): KeyedStore<T> {
  const values = new Map<string, T>();
  const { notify, subscribe } = createListeners();
  const store = (key: string) => ownStored(kind, key, shape, fallback);
  const get = (key: string): T => {
    const held = values.get(key);
    if (held !== undefined) return held;
    const kept = store(key).read();
    values.set(key, kept);
    return kept;
  };
  holdOwn({
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
