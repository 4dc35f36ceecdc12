import { and, asc, count, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { ImportNote } from "#shared/imports/import.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { importedItems, importNotes, importParts, imports } from "#worker/platform/db/schema/imports.ts";

export type ImportRow = typeof imports.$inferSelect;
export type ImportedRow = typeof importedItems.$inferSelect;
type State = ImportRow["state"];

/** Notes in one statement: five parameters each, of the platform's hundred. */
const NOTES_AT_ONCE = 16;

/** Inserts an import; false where its id is taken, or its person has another under way. */
export async function insertImport(db: Database, row: typeof imports.$inferInsert): Promise<boolean> {
  return (await db.insert(imports).values(row).onConflictDoNothing().returning({ id: imports.id })).length > 0;
}

export async function findImport(db: Database, id: string): Promise<ImportRow | undefined> {
  return db.select().from(imports).where(eq(imports.id, id)).get();
}

export async function selectImports(db: Database, userId: string, limit: number): Promise<ImportRow[]> {
  return db.select().from(imports).where(eq(imports.user_id, userId)).orderBy(desc(imports.created_at)).limit(limit);
}

/** Changes an import that is in one of these states; undefined where it is not, or not any more. */
export async function changeImport(
  db: Database,
  id: string,
  { from, change }: { from: readonly State[]; change: Partial<ImportRow> },
): Promise<ImportRow | undefined> {
  const set = { updated_at: new Date().toISOString(), ...change };
  const [row] = await db
    .update(imports)
    .set(set)
    .where(and(eq(imports.id, id), inArray(imports.state, [...from])))
    .returning();
  return row;
}

/** Counts bytes that an import has unpacked, whatever became of them. */
export async function addUnpacked(db: Database, id: string, bytes: number): Promise<void> {
  await db
    .update(imports)
    .set({ unpacked: sql`${imports.unpacked} + ${bytes}` })
    .where(eq(imports.id, id));
}

/** Notes a stored part; the same part again takes the place of the one before. */
export async function upsertPart(db: Database, part: typeof importParts.$inferInsert): Promise<void> {
  const target = [importParts.import_id, importParts.number];
  await db
    .insert(importParts)
    .values(part)
    .onConflictDoUpdate({ target, set: { etag: part.etag } });
}

/** The parts that are stored, in their order. */
export async function selectParts(db: Database, id: string): Promise<{ number: number; etag: string }[]> {
  return db
    .select({ number: importParts.number, etag: importParts.etag })
    .from(importParts)
    .where(eq(importParts.import_id, id))
    .orderBy(asc(importParts.number));
}

type Step = {
  id: string;
  cursor: number;
  next: number;
  counts: string;
  state?: State;
  notes: { item: number; notes: readonly ImportNote[] }[];
};

/** Keeps what came of some items, all of it or, where another was quicker or the import has ended, nothing; answers whether it was kept. */
export async function keepStep(db: Database, { id, cursor, next, counts, notes }: Step): Promise<boolean> {
  const rows = notes.flatMap(({ item, notes: said }) =>
    said.map(({ kind, title, reason }, number) => ({ import_id: id, item, number, kind, title, reason })),
  );
  const update = db
    .update(imports)
    .set({ cursor: next, counts, updated_at: new Date().toISOString() })
    .where(and(eq(imports.id, id), eq(imports.cursor, cursor), eq(imports.state, "importing")))
    .returning({ id: imports.id });
  const inserts = Array.from({ length: Math.ceil(rows.length / NOTES_AT_ONCE) }, (_, index) =>
    db
      .insert(importNotes)
      .values(rows.slice(index * NOTES_AT_ONCE, (index + 1) * NOTES_AT_ONCE))
      .onConflictDoNothing(),
  );
  const [kept] = await db.batch([update, ...inserts]);
  return kept.length > 0;
}

/** Keeps what was said before any item was imported. */
export async function storeNotes(db: Database, id: string, notes: readonly ImportNote[]): Promise<void> {
  for (let at = 0; at < notes.length; at += NOTES_AT_ONCE) {
    const rows = notes.slice(at, at + NOTES_AT_ONCE).map(({ kind, title, reason }, index) => {
      return { import_id: id, item: -1, number: at + index, kind, title, reason };
    });
    await db.insert(importNotes).values(rows).onConflictDoNothing();
  }
}

/** An import's notes in the order of its items, and how many there are. */
export async function selectNotes(db: Database, id: string, limit: number) {
  const { kind, title, reason, item, number } = importNotes;
  const isOf = eq(importNotes.import_id, id);
  const [notes, counts] = await db.batch([
    db.select({ kind, title, reason }).from(importNotes).where(isOf).orderBy(asc(item), asc(number)).limit(limit),
    db.select({ n: count() }).from(importNotes).where(isOf),
  ]);
  return { notes, count: counts[0]?.n ?? 0 };
}

/** Inserts an item to import unless it came before, and answers the row that stands and whether it is this one. */
export async function insertItem(db: Database, row: typeof importedItems.$inferInsert): Promise<{ row: ImportedRow; isNew: boolean }> {
  const [inserted] = await db.insert(importedItems).values(row).onConflictDoNothing().returning();
  if (inserted) return { row: inserted, isNew: true };
  const existing = await db.select().from(importedItems).where(isItem(row)).get();
  if (!existing) throw new Error("An item that was brought before is gone.");
  return { row: existing, isNew: false };
}

/** What became of an item that came before, by what it is called where it comes from. */
export async function findItem(db: Database, name: ItemName): Promise<ImportedRow | undefined> {
  return db.select().from(importedItems).where(isItem(name)).get();
}

type ItemName = Pick<ImportedRow, "user_id" | "source" | "kind" | "key">;

function isItem({ user_id, source, kind, key }: ItemName) {
  return and(
    eq(importedItems.user_id, user_id),
    eq(importedItems.source, source),
    eq(importedItems.kind, kind),
    eq(importedItems.key, key),
  );
}

/** Changes an item that still is as it was read; false where it is not. */
export async function changeItem(db: Database, existing: ImportedRow, change: Partial<ImportedRow>): Promise<boolean> {
  const isSame = and(isItem(existing), eq(importedItems.target_id, existing.target_id), eq(importedItems.import_id, existing.import_id));
  return (await db.update(importedItems).set(change).where(isSame).returning({ key: importedItems.key })).length > 0;
}

/** Imports that nobody touched since `cutoff` (ISO 8601) and whose files are still stored. */
export async function selectForgotten(db: Database, cutoff: string, limit: number): Promise<ImportRow[]> {
  return db
    .select()
    .from(imports)
    .where(and(eq(imports.has_file, true), lt(imports.updated_at, cutoff)))
    .limit(limit);
}
