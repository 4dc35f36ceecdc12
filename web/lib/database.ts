/** The browser's database, for what outlives the page and is too much for lib/storage.ts; pages and the service worker share it. */

const NAME = "offline";
const VERSION = 1;
const STORES = ["kept", "shared"] as const;
export type StoreName = (typeof STORES)[number];

let opening: Promise<IDBDatabase> | null = null;

/** Does one thing in a store and resolves when it is on the disk. Rejects where the browser keeps nothing, or has no room left. */
export async function inStore<T>(name: StoreName, mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, mode);
    const request = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("The browser's database gave up."));
  });
}

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const store of STORES) request.result.createObjectStore(store);
    };
    request.onsuccess = () => {
      const database = request.result;
      // A newer version, or somebody who clears this site's data, must not wait for this page.
      database.onversionchange = () => {
        database.close();
        opening = null;
      };
      database.onclose = () => (opening = null);
      resolve(database);
    };
    request.onerror = () => {
      opening = null;
      reject(request.error ?? new Error("The browser has no database."));
    };
  });
  return opening;
}
