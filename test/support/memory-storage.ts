/** A browser's `localStorage` as code meets it: methods, and each key as a property of its own. */
export function memoryStorage(held: Record<string, string> = {}): Record<string, string> {
  const storage = { ...held };
  const give = (name: string, value: unknown) => Object.defineProperty(storage, name, { value, enumerable: false });
  give("getItem", (key: string) => storage[key] ?? null);
  give("setItem", (key: string, value: string) => void (storage[key] = value));
  give("removeItem", (key: string) => delete storage[key]);
  return storage;
}
