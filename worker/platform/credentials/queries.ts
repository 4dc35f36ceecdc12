import { sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";

/** A column of sealed credentials: its rows by the column that names them, and what each is sealed for. */
export type SealedPlace = { table: string; id: string; column: string; providerOf: (id: string) => string };

export type SealedRow = { id: string; user_id: string; sealed: string };

/** A page of what lies in a place and was not sealed with this key, in the order of its ids. */
export async function selectSealedOtherwise(
  db: Database,
  { table, id, column }: SealedPlace,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const [from, name, held] = [sql.identifier(table), sql.identifier(id), sql.identifier(column)];
  return db.all<SealedRow>(
    sql`SELECT ${name} AS id, user_id, ${held} AS sealed FROM ${from}
          WHERE ${name} > ${after} AND ${held} IS NOT NULL AND substr(${held}, 1, ${keyId.length + 1}) <> ${`${keyId}.`} ORDER BY ${name} LIMIT ${limit}`,
  );
}

/** Puts a credential in the place of another, unless that was replaced meanwhile. */
export async function replaceSealed(db: Database, { table, id, column }: SealedPlace, row: SealedRow, sealed: string): Promise<void> {
  const [from, name, held] = [sql.identifier(table), sql.identifier(id), sql.identifier(column)];
  await db.run(sql`UPDATE ${from} SET ${held} = ${sealed} WHERE ${name} = ${row.id} AND ${held} = ${row.sealed}`);
}
