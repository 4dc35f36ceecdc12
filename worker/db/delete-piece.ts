import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

/** Rows that one statement deletes or changes: the database, which does one after another, answers nobody else meanwhile. */
export const PIECE = 1_000;

/** Deletes a piece of the rows that a condition names, by their primary key; true where there may be more. */
export async function deletePiece(
  db: Database,
  { table, key, where }: { table: SQLiteTable; key: readonly SQLiteColumn[]; where: SQL },
): Promise<boolean> {
  const columns = sql.join([...key], sql`, `);
  const gone = await db
    .delete(table)
    .where(sql`(${columns}) IN (SELECT ${columns} FROM ${table} WHERE ${where} LIMIT ${PIECE})`)
    .returning({ one: sql<number>`1` });
  return gone.length === PIECE;
}
