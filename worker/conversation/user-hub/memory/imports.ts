/** Lists of facts that are being imported: a row each, with what is left to do of it. */
import * as z from "zod/mini";
import type { MemoryImport } from "#shared/entities/memory.ts";

/** So many facts are added in one step. */
const STEP = 100;
/** An import that has not ended after so many milliseconds failed. */
const LONGEST_MS = 60 * 60_000;

type Row = {
  id: string;
  at: string;
  total: number;
  added: number;
  duplicate: number;
  failed: number;
  entries: string | null;
  is_from_file: number;
};

/** One fact of a list: its place among those that are added now, and where the list came from. */
type Place = { place: number; origin: "import" | "file" };

const Entries = z.array(z.string());

/** What became of one fact. */
export type FactOutcome = "added" | "duplicate" | "failed";

/** Notes a list, once by its id. */
export function beginImport(
  sql: SqlStorage,
  { id, entries, isFromFile }: { id: string; entries: readonly string[]; isFromFile: boolean },
  at: string,
): void {
  sql.exec(
    `INSERT INTO memory_imports (id, at, total, added, duplicate, failed, entries, is_from_file) VALUES (?, ?, ?, 0, 0, 0, ?, ?)
     ON CONFLICT DO NOTHING`,
    id,
    at,
    entries.length,
    JSON.stringify(entries),
    isFromFile ? 1 : 0,
  );
}

/** The next facts of a list, none of one that is over or unknown. */
export function nextOfImport(sql: SqlStorage, id: string): string[] {
  const row = sql.exec<Row>("SELECT * FROM memory_imports WHERE id = ? AND entries IS NOT NULL", id).toArray()[0];
  if (!row || row.entries === null) return [];
  const done = row.added + row.duplicate + row.failed;
  return Entries.parse(JSON.parse(row.entries)).slice(done, done + STEP);
}

/** Adds the next facts of a list, in one transaction with how far it is; null for a list that is over or unknown. */
export function stepImport(
  storage: DurableObjectStorage,
  id: string,
  add: (text: string, place: Place) => FactOutcome,
): MemoryImport | null {
  const { sql } = storage;
  return storage.transactionSync(() => {
    const row = sql.exec<Row>("SELECT * FROM memory_imports WHERE id = ? AND entries IS NOT NULL", id).toArray()[0];
    if (!row || row.entries === null) return null;
    const done = row.added + row.duplicate + row.failed;
    const entries = Entries.parse(JSON.parse(row.entries));
    const counts = { added: row.added, duplicate: row.duplicate, failed: row.failed };
    const origin = row.is_from_file === 1 ? "file" : "import";
    for (const [place, text] of entries.slice(done, done + STEP).entries()) counts[add(text, { place, origin })] += 1;
    const isOver = done + STEP >= row.total;
    sql.exec(
      "UPDATE memory_imports SET added = ?, duplicate = ?, failed = ?, entries = ? WHERE id = ?",
      counts.added,
      counts.duplicate,
      counts.failed,
      isOver ? null : row.entries,
      id,
    );
    return toImport({ ...row, ...counts, entries: isOver ? null : row.entries });
  });
}

/** How far a list is; null for an unknown one. */
export function findImport(sql: SqlStorage, id: string): MemoryImport | null {
  const row = sql.exec<Row>("SELECT * FROM memory_imports WHERE id = ?", id).toArray()[0];
  return row ? toImport(row) : null;
}

/** How far the newest list is, null before the first. */
export function lastImport(sql: SqlStorage): MemoryImport | null {
  const row = sql.exec<Row>("SELECT * FROM memory_imports ORDER BY at DESC LIMIT 1").toArray()[0];
  return row ? toImport(row) : null;
}

function toImport({ id, at, total, added, duplicate, failed, entries }: Row): MemoryImport {
  const isLate = Date.parse(at) < Date.now() - LONGEST_MS;
  return { id, at, total, added, duplicate, failed, state: entries === null ? "done" : isLate ? "failed" : "running" };
}
