import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

type Table = { name: string; rows: Record<string, SqlStorageValue>[] };

/** Tables that are built again from the others, or are the platform's own. */
const DERIVED = /^(?:search|_cf|sqlite)/;

/** Copies what an object or the chats of the database hold now; calling what comes back sets it back to that, as the platform's recovery would. */
export async function rememberObject(stub: DurableObjectStub<undefined>): Promise<() => Promise<void>> {
  const tables = await runInDurableObject(stub, (_, { storage: { sql } }): Table[] =>
    sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .filter(({ name }) => !DERIVED.test(name))
      .map(({ name }) => ({ name, rows: sql.exec(`SELECT ${columnsOf(sql, name)} FROM ${name}`).toArray() })),
  );
  return () =>
    runInDurableObject(stub, (_, { storage }) => {
      storage.transactionSync(() => {
        for (const { name, rows } of tables) {
          storage.sql.exec(`DELETE FROM ${name}`);
          for (const row of rows) {
            const marks = Object.keys(row).map(() => "?");
            storage.sql.exec(`INSERT INTO ${name} (${Object.keys(row).join(", ")}) VALUES (${marks.join(", ")})`, ...Object.values(row));
          }
        }
      });
    });
}

/** The same of a user's chats in the relational database; what came since goes. */
export async function rememberRows(userId: string): Promise<() => Promise<void>> {
  const { results } = await env.DB.prepare("SELECT * FROM chats WHERE user_id = ?").bind(userId).all();
  return async () => {
    await env.DB.prepare("DELETE FROM chats WHERE user_id = ?").bind(userId).run();
    for (const row of results) {
      const columns = Object.keys(row);
      const query = `INSERT INTO chats (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
      await env.DB.prepare(query)
        .bind(...Object.values(row))
        .run();
    }
  };
}

/** A table's own columns, without those that are worked out of others. */
function columnsOf(sql: SqlStorage, table: string): string {
  return sql
    .exec<{ name: string }>(`PRAGMA table_info(${table})`)
    .toArray()
    .map(({ name }) => name)
    .join(", ");
}
