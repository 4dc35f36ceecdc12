import { useCallback, useSyncExternalStore } from "react";
import { createListeners } from "./store.ts";

export type KeyedStore<T> = {
  get: (key: string) => T;
  set: (key: string, value: T) => void;
  subscribe: (listener: () => void) => () => void;
};

/** Values by key outside of React, for what outlives the pane that shows it. */
export function createKeyedStore<T>(fallback: T): KeyedStore<T> {
  const values = new Map<string, T>();
  const { notify, subscribe } = createListeners();
  return {
    get: (key) => values.get(key) ?? fallback,
    set(key, value) {
      if (Object.is(values.get(key) ?? fallback, value)) return;
      values.set(key, value);
      notify();
    },
    subscribe,
  };
}

export function useKeyed<T>(store: KeyedStore<T>, key: string): T {
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => store.get(key), [store, key]),
  );
}
