/** What was shared with the installed application and no page has taken yet: the service worker puts it here, as a page's address holds no files. */
import { inStore } from "./database.ts";

/** A file as bytes: what is behind a blob of a page that is gone may be gone as well before it is on the disk. */
type SharedFile = { name: string; type: string; bytes: ArrayBuffer };

/** `at` is when it was shared, in milliseconds since the epoch, `leftOut` how many files were too many or too large. */
export type Shared = { text: string; files: SharedFile[]; at: number; leftOut?: number };

/** Who has not come for it within an hour does not miss it. */
const RETENTION_MS = 60 * 60_000;

/** Keeps what was shared; returns what a page finds it by. */
export async function putShared(shared: Shared): Promise<string> {
  await dropOld(shared.at);
  const id = crypto.randomUUID();
  await inStore("shared", "readwrite", (store) => store.put(shared, id));
  return id;
}

/** What was shared, which stays in the inbox; null where it is gone. */
export async function peekShared(id: string): Promise<Shared | null> {
  const found = await inStore<unknown>("shared", "readonly", (store) => store.get(id));
  return isShared(found) ? found : null;
}

/** Takes what was shared out of the inbox. */
export async function deleteShared(id: string): Promise<void> {
  await inStore("shared", "readwrite", (store) => store.delete(id));
}

/** Keeps what of it was not used yet, under the same id. */
export async function storeRemaining(id: string, shared: Shared): Promise<void> {
  await inStore("shared", "readwrite", (store) => store.put(shared, id));
}

async function dropOld(now: number): Promise<void> {
  for (const key of await inStore("shared", "readonly", (store) => store.getAllKeys())) {
    const found = await inStore<unknown>("shared", "readonly", (store) => store.get(key));
    if (!isShared(found) || found.at < now - RETENTION_MS) await inStore("shared", "readwrite", (store) => store.delete(key));
  }
}

function isShared(value: unknown): value is Shared {
  if (typeof value !== "object" || value === null || !("text" in value) || !("files" in value) || !("at" in value)) return false;
  return typeof value.text === "string" && typeof value.at === "number" && Array.isArray(value.files);
}
