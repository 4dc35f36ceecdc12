/** What an import does where something fails: whether that is an item's own fault, and when it is tried again. */
import * as z from "zod/mini";
import { hubOf } from "../user-hub/stub.ts";
import { changeImport } from "./queries.ts";
import type { Importing } from "./source.ts";

/** What an import met since it last moved on: how often it stood back, and how often the item at `cursor` failed while all else worked. */
export const Setback = z.object({ waits: z.number(), cursor: z.number(), tries: z.number() });
export type Setback = z.infer<typeof Setback>;

export const NO_SETBACK: Setback = { waits: 0, cursor: -1, tries: 0 };

/** So often an item is tried alone, while the platform answers, before it is left out. */
const TRIES = 2;
/** After so many seconds an import goes on; the last one holds for all further, an hour and a half in all. */
const WAITS = [2, 10, 60];
const LAST_WAIT = 300;
const WAITS_MAX = 20;

/** An item failed while it was brought alone; `tries` counts how often it did while all else worked. */
export class ItemFailed extends Error {
  readonly cursor: number;
  readonly tries: number;
  constructor({ cursor, tries }: { cursor: number; tries: number }, cause: unknown) {
    super("An item of an import failed.", { cause });
    this.cursor = cursor;
    this.tries = tries;
  }
}

/** The setback after another failure, and the seconds to wait for; null once that has gone on for too long. */
export function standBack(before: Setback, cause: unknown): { setback: Setback; wait: number } | null {
  const place = cause instanceof ItemFailed ? { cursor: cause.cursor, tries: cause.tries } : before;
  const hasMoved = before.cursor >= 0 && place.cursor !== before.cursor;
  const waits = hasMoved ? 0 : before.waits;
  if (waits >= WAITS_MAX) return null;
  return { setback: { cursor: place.cursor, tries: place.tries, waits: waits + 1 }, wait: WAITS[waits] ?? LAST_WAIT };
}

/** Does an item's work alone: null where it is left out because it fails while the platform answers. Throws `ItemFailed`. */
export async function tryAlone<T>(
  importing: Importing,
  { cursor, setback }: { cursor: number; setback: Setback },
  act: () => Promise<T>,
): Promise<T | null> {
  try {
    return await act();
  } catch (cause) {
    const before = setback.cursor === cursor ? setback.tries : 0;
    const tries = before + ((await isPlatformSound(importing)) ? 1 : 0);
    if (tries >= TRIES) return null;
    throw new ItemFailed({ cursor, tries }, cause);
  }
}

/** True where the database, the storage and the person's own object take and give what an import needs of them. */
async function isPlatformSound({ env, db, importId, folder, user }: Importing): Promise<boolean> {
  const key = `${folder}probe`;
  try {
    await env.FILES.put(key, importId);
    const kept = await (await env.FILES.get(key))?.text();
    // The import may have ended meanwhile, and its folder been deleted.
    await env.FILES.delete(key);
    await changeImport(db, importId, { from: ["importing"], change: {} });
    await hubOf(env, user.userId).connections();
    return kept === importId;
  } catch {
    return false;
  }
}

/** Notes that an item is brought alone: if that ends the Worker, the next message finds the note. */
export async function noteAlone({ env, folder }: Importing, cursor: number): Promise<void> {
  await env.FILES.put(`${folder}alone`, `${cursor}`);
}

/** True where bringing this item alone ended the Worker. */
export async function endedWorker({ env, folder }: Importing, cursor: number): Promise<boolean> {
  const note = await env.FILES.get(`${folder}alone`);
  return (await note?.text()) === `${cursor}`;
}
