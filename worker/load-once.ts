/**
 * Loads a module with its first use. Requests and objects of an isolate share what was loaded, and no promise of it: whoever comes before
 * it is there waits for a loading of their own.
 */
export function loadOnce<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | undefined;
  return () => loaded ?? load().then((module) => (loaded = module));
}
