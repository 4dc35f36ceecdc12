/** What every kind of export says of itself, so the job need not know it. */
import { IMPORT_KINDS, type ImportCounts, ImportKind, type ImportNote, type ImportSource } from "#shared/imports/import.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Archive } from "./archive.ts";
import type { ByteGate } from "./byte-gate.ts";

/**
 * One thing to import, by where it is read: bytes of `name`, which is an entry of the archive or an unpacked text beside it. `title` is
 * what a report calls it where it cannot be read.
 */
export type PlanItem = { kind: string; name: string; from: number; length: number; title?: string | undefined };

/** What there is to import, and what was seen not to come before any of it was read. */
export type Plan = { items: PlanItem[]; notes: ImportNote[]; counts: ImportCounts };

/** An import that is being worked on: whose, of what, and where its uploaded file and what was unpacked of it lie. */
export type Importing = {
  env: Env;
  db: Database;
  importId: string;
  source: ImportSource;
  user: { userId: string; displayName: string };
  archive: Archive;
  /** The folder of the import's own objects, with a slash at its end. */
  folder: string;
  /** Files are in memory while they are stored: all items that are imported at once share one room. */
  gate: ByteGate;
  /** Entries that are not what they are called, and why: they are not unpacked again for whatever else names them. */
  rejected: Map<string, string>;
};

/** What came of an item; nothing of it is counted elsewhere. */
export type ImportResult = { counts: ImportCounts; notes: ImportNote[] };

/** A kind of export: how it is recognised, what there is in it, and how one item of it is imported. */
export type Source = {
  id: ImportSource;
  /** Looks at names and beginnings alone. */
  recognize(archive: Archive): Promise<boolean>;
  /** Looks through all of it once, in bounded memory. */
  plan(importing: Importing): Promise<Plan>;
  /** Imports one item; it may be asked to again, which must do no harm. What is wrong with an item is a note, what is thrown is tried again. */
  importItem(importing: Importing, item: PlanItem, place: number): Promise<ImportResult>;
};

/** One more of a kind. */
export function counted(kind: ImportKind, outcome: "came" | "here" | "failed", number = 1): ImportCounts {
  return { [kind]: { came: 0, here: 0, failed: 0, [outcome]: number } };
}

/** An item that did not come, by its name in the file. */
export function unreadable({ kind, name, title = name }: PlanItem, reason: string): ImportResult {
  const known = ImportKind.safeParse(kind).data ?? "setting";
  return { counts: counted(known, "failed"), notes: [{ kind: known, title, reason }] };
}

export function addCounts(one: ImportCounts, other: ImportCounts): ImportCounts {
  const sum: ImportCounts = { ...one };
  for (const kind of IMPORT_KINDS) {
    const [had, more] = [sum[kind], other[kind]];
    if (more) sum[kind] = had ? { came: had.came + more.came, here: had.here + more.here, failed: had.failed + more.failed } : more;
  }
  return sum;
}
