import { useSyncExternalStore } from "react";

/** Who wants to hear of changes, and of what in them. */
export type Listeners<News extends unknown[] = []> = {
  /** Calls everybody. */
  notify: (...news: News) => void;
  /** Calls back on every change from now on; returns how to stop. */
  subscribe: (listener: (...news: News) => void) => () => void;
};

/** Listeners without a value of their own: for stores that hold more than one, and for events. */
export function createListeners<News extends unknown[] = []>(): Listeners<News> {
  const listeners = new Set<(...news: News) => void>();
  return {
    notify(...news) {
      for (const listener of listeners) listener(...news);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Store<T> = {
  get: () => T;
  /** Nobody hears of a value that is the same. */
  set: (value: T) => void;
  subscribe: Listeners["subscribe"];
};

export function createStore<T>(initial: T): Store<T> {
  const { notify, subscribe } = createListeners();
  let current = initial;
  return {
    get: () => current,
    set(value) {
      if (Object.is(current, value)) return;
      current = value;
      notify();
    },
    subscribe,
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
