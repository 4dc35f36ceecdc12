import { inStore } from "#web/lib/database.ts";
import { hasStoppedPersisting, isEphemeralBrowser } from "#web/lib/storage.ts";

/** What is kept of each account in this browser, by name. Every call rejects where the browser keeps nothing. */
export type OfflineStore = {
  read: (owner: string, name: string) => Promise<unknown>;
  write: (owner: string, name: string, data: unknown) => Promise<unknown>;
  /** Writes what is made of what is there, with no other tab in between; undefined leaves it as it is. */
  change: (owner: string, name: string, change: (held: unknown) => unknown) => Promise<unknown>;
  remove: (owner: string, name: string) => Promise<unknown>;
  /** Forgets all accounts but one; null forgets that one too. */
  keepOnly: (owner: string | null) => Promise<unknown>;
  /** Forgets what was shared with the application and no page has taken. */
  forgetShared: () => Promise<unknown>;
};

/** The browser's database. */
export const offlineStore: OfflineStore = {
  read: (owner, name) => inStore<unknown>("kept", "readonly", (store) => store.get([owner, name])),
  write: async (owner, name, data) => {
    refuseUnwanted();
    return inStore("kept", "readwrite", (store) => store.put(data, [owner, name]));
  },
  change: async (owner, name, change) => {
    refuseUnwanted();
    return inStore<unknown>("kept", "readwrite", (store) => {
      const reading = store.get([owner, name]);
      reading.addEventListener("success", () => {
        const next = change(reading.result);
        if (next !== undefined) store.put(next, [owner, name]);
      });
      return reading;
    });
  },
  remove: (owner, name) => inStore("kept", "readwrite", (store) => store.delete([owner, name])),
  async keepOnly(owner) {
    const keys = await inStore("kept", "readonly", (store) => store.getAllKeys());
    const others = new Set(keys.flatMap((key) => (Array.isArray(key) && typeof key[0] === "string" && key[0] !== owner ? [key[0]] : [])));
    for (const other of others) await inStore("kept", "readwrite", (store) => store.delete(IDBKeyRange.bound([other], [other, []])));
  },
  forgetShared: () => inStore("shared", "readwrite", (store) => store.clear()),
};

function refuseUnwanted(): void {
  if (isEphemeralBrowser()) throw new Error("Whoever is here wants nothing kept.");
  if (hasStoppedPersisting()) throw new Error("Whoever was here has left.");
}
