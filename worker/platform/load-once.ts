const loaders: (() => Promise<unknown>)[] = [];

/**
 * Loads a module with its first use. Requests and objects of an isolate share what was loaded, and no promise of it: whoever comes before
 * it is there waits for a loading of their own.
 */
export function loadOnce<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | undefined;
  const use = () => loaded ?? load().then((module) => (loaded = module));
  loaders.push(async () => use());
  return use;
}

/** Loads all of that now, for a runtime that fetches modules: there a request that loads would wait for another's fetch. */
export async function loadEverything(): Promise<void> {
  for (let next = 0; next < loaders.length; next += 1) await loaders[next]?.();
}
