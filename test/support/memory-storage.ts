/** A browser's `localStorage` as code meets it: methods, each key as a property of its own, and room for `characters` of values. */
export function memoryStorage(held: Record<string, string> = {}, characters = Infinity): Record<string, string> {
  const storage = { ...held };
  const taken = (but: string) => Object.entries(storage).reduce((sum, [key, value]) => sum + (key === but ? 0 : value.length), 0);
  const give = (name: string, value: unknown) => Object.defineProperty(storage, name, { value, enumerable: false });
  give("getItem", (key: string) => storage[key] ?? null);
  give("setItem", (key: string, value: string) => {
    if (taken(key) + value.length > characters) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    storage[key] = value;
  });
  give("removeItem", (key: string) => delete storage[key]);
  return storage;
}
