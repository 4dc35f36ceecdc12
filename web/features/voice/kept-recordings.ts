/** Recordings that have not become words yet: in this browser until they have, so that neither a failure nor a reload loses them. */
import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";

/** Whose recording for which draft: nobody else's is shown, or continued. */
export type Slot = { draftKey: string; userId: string };

/** A piece of a recording, under its slot and its number. */
type Piece = { bytes: ArrayBuffer; type: string; at: number };

const DATABASE = "recordings";
const STORE = "pieces";
/** Who has not come back for a week, in milliseconds, does not miss it. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

/** The slots that have a recording, so that most pages need not open the database. */
const marked = stored("recordings", shape.listOf(shape.text), []);

/** One change after another: what is dropped must not come back by a piece that was still on its way. */
let changes: Promise<unknown> = Promise.resolve();

/** Keeps one more piece of a recording, the first of which replaces an earlier one. A browser that keeps nothing is no failure: the page itself holds it too. */
export function keepPiece(slot: Slot, n: number, piece: Blob): void {
  if (n === 0) dropRecording(slot);
  const name = nameOf(slot);
  if (!marked.read().includes(name)) marked.write([...marked.read(), name]);
  change(async () => {
    const kept: Piece = { bytes: await piece.arrayBuffer(), type: piece.type, at: Date.now() };
    (await openStore()).put(kept, [name, n]);
  });
}

/** Forgets a recording. */
export function dropRecording(slot: Slot): void {
  const name = nameOf(slot);
  if (!marked.read().includes(name)) return;
  marked.write(marked.read().filter((other) => other !== name));
  change(async () => void (await openStore()).delete(rangeOf(name)));
}

/** A recording that an earlier page left, or null. */
export async function findRecording(slot: Slot): Promise<Blob | null> {
  const name = nameOf(slot);
  if (!marked.read().includes(name)) return null;
  try {
    await changes;
    const store = await openStore();
    const pieces = await answerOf<Piece[]>(store.getAll(rangeOf(name)));
    const first = pieces[0];
    if (first && Date.now() - first.at <= KEPT_MS)
      return new Blob(
        pieces.map(({ bytes }) => bytes),
        { type: first.type },
      );
    dropRecording(slot);
  } catch {
    // A database that cannot be read has nothing to offer.
  }
  return null;
}

function nameOf({ userId, draftKey }: Slot): string {
  return `${userId} ${draftKey}`;
}

function change(work: () => Promise<void>): void {
  // A full disk or a private window: the recording lives on in memory alone.
  changes = changes.then(work).catch(() => undefined);
}

function rangeOf(name: string): IDBKeyRange {
  return IDBKeyRange.bound([name], [name, []]);
}

async function openStore(): Promise<IDBObjectStore> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
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
