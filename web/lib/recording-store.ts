/** Recordings that have not become words yet: in this browser until they have, so neither a failure nor a reload loses them. */
import * as z from "zod/mini";
import { hasStoppedPersisting, isEphemeralBrowser, stored, storedKeys } from "#web/lib/storage.ts";

/** Whose recordings for which draft: nobody else's are shown, or continued. */
export type Slot = { draftKey: string; userId: string };
/** One recording, which has its place to itself: other tabs record at the same draft. */
export type Entry = Slot & { id: string };
/** A recording that an earlier page left; `at` is when it began, in epoch milliseconds. */
export type LeftRecording = { entry: Entry; recording: Blob; at: number };

/** A piece of a recording, under its id and its number. */
type StoredChunk = { bytes: ArrayBuffer; type: string };

const DATABASE = "recordings";
const VERSION = 2;
const STORE = "pieces";
/** Who has not come back for a week, in milliseconds, does not miss it. */
const RETENTION_MS = 7 * 24 * 60 * 60_000;
/** What the marks of recordings begin with: by them most pages need not open the database. */
const MARK = "recording:";

/** The recordings that this page has, each with what lets go of it. */
const ownLocks = new Map<string, () => void>();
/** One change after another: what is dropped must not come back by a piece that was still on its way. */
let changes: Promise<unknown> = Promise.resolve();

/** A place for a new recording, which no other page offers as long as this one lives. */
export function openEntry(slot: Slot): Entry {
  const entry = { ...slot, id: crypto.randomUUID() };
  void hold(entry.id);
  return entry;
}

/** Keeps one more piece of a recording. A browser that keeps nothing is no failure: the page itself holds it too. */
export function storeChunk(entry: Entry, n: number, piece: Blob): void {
  if (isEphemeralBrowser() || hasStoppedPersisting()) return;
  if (n === 0) markOf(entry).write(Date.now());
  change(async () => {
    const chunk: StoredChunk = { bytes: await piece.arrayBuffer(), type: piece.type };
    (await openStore()).put(chunk, [entry.id, n]);
  });
}

export function dropRecording(entry: Entry): void {
  const mark = markOf(entry);
  ownLocks.get(entry.id)?.();
  ownLocks.delete(entry.id);
  if (mark.read() === null) return;
  mark.remove();
  change(async () => void (await openStore()).delete(rangeOf(entry.id)));
}

/** Forgets the recordings of these accounts; resolves when none is left. */
export async function dropRecordings(isTheirs: (userId: string) => boolean): Promise<void> {
  for (const { entry } of marks()) if (isTheirs(entry.userId)) dropRecording(entry);
  await changes;
}

/** The recordings for a draft that earlier pages left and no page has now, the oldest first; they are this page's from here on. */
export async function takeRecordings(slot: Slot): Promise<LeftRecording[]> {
  const found: LeftRecording[] = [];
  for (const { entry, at } of marks()) {
    if (Date.now() - at > RETENTION_MS) dropRecording(entry);
    else if (entry.userId === slot.userId && entry.draftKey === slot.draftKey && (await hold(entry.id))) {
      const recording = await read(entry.id);
      if (recording) found.push({ entry, recording, at });
      else dropRecording(entry);
    }
  }
  return found.toSorted((one, other) => one.at - other.at);
}

/** Makes a recording this page's; false where another page, or this one, has it. */
function hold(id: string): Promise<boolean> {
  if (ownLocks.has(id)) return Promise.resolve(false);
  ownLocks.set(id, () => undefined);
  // Pages without a safe connection have no locks.
  if (!("locks" in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(`recording ${id}`, { ifAvailable: true }, async (lock) => {
      if (!lock) ownLocks.delete(id);
      resolve(lock !== null);
      if (lock) await new Promise<void>((release) => ownLocks.set(id, release));
    });
  });
}

async function read(id: string): Promise<Blob | null> {
  try {
    await changes;
    const chunks = await answerOf<StoredChunk[]>((await openStore()).getAll(rangeOf(id)));
    const parts = chunks.map(({ bytes }) => bytes);
    return parts.length > 0 ? new Blob(parts, { type: chunks[0]?.type ?? "" }) : null;
  } catch {
    // A database that cannot be read has nothing to offer.
    return null;
  }
}

function markOf({ userId, draftKey, id }: Entry) {
  return stored(`${MARK}${userId} ${draftKey} ${id}`, z.nullable(z.number()), null);
}

function marks(): { entry: Entry; at: number }[] {
  return storedKeys(MARK).flatMap((key) => {
    const [userId, draftKey, id] = key.slice(MARK.length).split(" ");
    if (userId === undefined || draftKey === undefined || id === undefined) return [];
    const entry = { userId, draftKey, id };
    return [{ entry, at: markOf(entry).read() ?? 0 }];
  });
}

function change(work: () => Promise<void>): void {
  // A full disk or a private window: the recording lives on in memory alone.
  changes = changes.then(work).catch(() => undefined);
}

function rangeOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}

async function openStore(): Promise<IDBObjectStore> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    // Once a draft had one place, which its tabs took from each other.
    if (request.result.objectStoreNames.contains(STORE)) request.result.deleteObjectStore(STORE);
    request.result.createObjectStore(STORE);
  };
  const database = await answerOf(request);
  const transaction = database.transaction(STORE, "readwrite");
  transaction.oncomplete = () => database.close();
  transaction.onabort = () => database.close();
  return transaction.objectStore(STORE);
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The browser's database failed."));
  });
}
