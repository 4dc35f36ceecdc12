import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

/** Rows that one statement deletes or changes: the database, which does one after another, answers nobody else meanwhile. */
export const BATCH_ROWS = 1_000;

/** Deletes a batch of the rows that a condition names, by their primary key; true where there may be more. */
export async function deleteBatch(
  db: Database,
  { table, key, where }: { table: SQLiteTable; key: readonly SQLiteColumn[]; where: SQL },
): Promise<boolean> {
  const columns = sql.join([...key], sql`, `);
  const deleted = await db
    .delete(table)
    .where(sql`(${columns}) IN (SELECT ${columns} FROM ${table} WHERE ${where} LIMIT ${BATCH_ROWS})`)
    .returning({ one: sql<number>`1` });
  return deleted.length === BATCH_ROWS;
}
