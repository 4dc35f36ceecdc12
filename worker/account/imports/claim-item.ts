import { changeItem, findItem, type ImportedRow, insertItem } from "./queries.ts";
import type { Importing } from "./source.ts";

/** An item to import: its name where it comes from; `version` grows with it, `isStill` says whether what it became is still here. */
type Named = { kind: string; key: string; version: number; isStill: (targetId: string) => Promise<boolean> };

/** `new` came for the first time, `grown` came in an earlier state, `here` needs nothing; `again` is a repeat that finds what it began. */
export type Claimed = { state: "new" | "grown" | "here" | "again"; row: ImportedRow };

/** Keys are as long as the ids of any product; what is longer is known by its digest. */
const KEY_LENGTH = 100;

/** Decides whether an item has to be imported, and under which id of ours. */
export async function claimItem(importing: Importing, place: number, { kind, key, version, isStill }: Named): Promise<Claimed> {
  const { user, source, importId } = importing;
  const row = {
    user_id: user.userId,
    source,
    kind,
    key: key.length <= KEY_LENGTH ? key : await digest(key),
    version,
    target_id: crypto.randomUUID(),
    import_id: importId,
    item: place,
    done_at: null,
  };
  const { row: held, isNew } = await insertItem(importing.db, row);
  if (isNew) return { state: "new", row: held };
  if (held.import_id === importId && held.item === place) return { state: "again", row: held };
  const mine = { import_id: importId, item: place, version };
  if (held.done_at === null) return take(importing, held, mine);
  if (!(await isStill(held.target_id))) return take(importing, held, { ...mine, target_id: row.target_id, done_at: null });
  if (held.version >= version) return { state: "here", row: held };
  const grown = await take(importing, held, { ...mine, target_id: row.target_id, done_at: null });
  return grown.state === "new" ? { ...grown, state: "grown" } : grown;
}

/** Takes an item over; one that another has taken in between is left to that. */
async function take({ db }: Importing, held: ImportedRow, change: Partial<ImportedRow>): Promise<Claimed> {
  const isTaken = await changeItem(db, held, change);
  return isTaken ? { state: "new", row: { ...held, ...change } } : { state: "here", row: held };
}

type ItemName = { kind: string; key: string };

/** What an item that came before became here; null for one that did not come. */
export async function importedIdOf({ db, user, source }: Importing, { kind, key }: ItemName): Promise<string | null> {
  return (await findItem(db, { user_id: user.userId, source, kind, key }))?.target_id ?? null;
}

/** Notes what an item has become; true where this very import, or nobody before, imported it. */
export async function recordItem(importing: Importing, place: number, { kind, key, id }: ItemName & { id: string }): Promise<boolean> {
  const { db, user, source, importId } = importing;
  const row = { user_id: user.userId, source, kind, key, version: 1, target_id: id, import_id: importId, item: place };
  const { row: held } = await insertItem(db, { ...row, done_at: new Date().toISOString() });
  return held.import_id === importId && held.item === place;
}

export async function completeItem({ db }: Importing, row: ImportedRow): Promise<void> {
  await changeItem(db, row, { done_at: new Date().toISOString() });
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
