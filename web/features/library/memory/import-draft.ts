import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** What a person pasted to be imported, by their id: closing the settings does not lose it. */
export const importDrafts = createKeyedStore("");

/** A text is on its way into memory: it need not be kept, unless another was pasted since. */
export function forgetImported(userId: string, text: string): void {
  if (importDrafts.get(userId) === text) importDrafts.set(userId, "");
}
