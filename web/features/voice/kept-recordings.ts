/** Recordings that have not become words yet: in this browser until they have, so that neither a failure nor a reload loses them. */
import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";

/** A piece of a recording, under its draft's key and its number. */
type Piece = { bytes: ArrayBuffer; type: string; userId: string; at: number };

const DATABASE = "recordings";
const STORE = "pieces";
/** Who has not come back for a week, in milliseconds, does not miss it. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

/** The drafts that have a recording, so that most pages need not open the database. */
const marked = stored("recordings", shape.listOf(shape.text), []);

/** One change after another: what is dropped must not come back by a piece that was still on its way. */
let changes: Promise<unknown> = Promise.resolve();

/** Keeps one more piece of a draft's recording. A browser that keeps nothing is no failure: the page itself holds it too. */
export function keepPiece(draftKey: string, { n, piece, userId }: { n: number; piece: Blob; userId: string }): void {
  if (!marked.read().includes(draftKey)) marked.write([...marked.read(), draftKey]);
  change(async (store) => {
    const bytes = await piece.arrayBuffer();
    const kept: Piece = { bytes, type: piece.type, userId, at: Date.now() };
    (await store()).put(kept, [draftKey, n]);
  });
}

/** Forgets a draft's recording. */
export function dropRecording(draftKey: string): void {
  marked.write(marked.read().filter((key) => key !== draftKey));
  change(async (store) => void (await store()).delete(rangeOf(draftKey)));
}

/** A draft's recording that an earlier page left, or null; another person's is not shown. */
export async function findRecording(draftKey: string, userId: string): Promise<Blob | null> {
  if (!marked.read().includes(draftKey)) return null;
  try {
    await changes;
    const store = await openStore();
    const pieces = await answerOf<Piece[]>(store.getAll(rangeOf(draftKey)));
    const first = pieces[0];
    if (!first || Date.now() - first.at > KEPT_MS) {
      dropRecording(draftKey);
      return null;
    }
    return first.userId === userId
      ? new Blob(
          pieces.map(({ bytes }) => bytes),
          { type: first.type },
        )
      : null;
  } catch {
    return null;
  }
}

function change(work: (store: () => Promise<IDBObjectStore>) => Promise<void>): void {
  // A full disk or a private window: the recording lives on in memory alone.
  changes = changes.then(() => work(openStore)).catch(() => undefined);
}

function rangeOf(draftKey: string): IDBKeyRange {
  return IDBKeyRange.bound([draftKey], [draftKey, []]);
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
