/**
 * Brings the tables of an object's storage up to date, in one transaction: each migration runs once, in its order. Tables of a newer
 * version stay as they are: this is then older code, which a deployment went back to.
 */
export function migrateObject(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    sql.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    const stored = sql.exec<{ version: number | null }>("SELECT max(version) AS version FROM schema_version").one().version ?? 0;
    if (stored >= migrations.length) return;
    for (const migration of migrations.slice(stored)) sql.exec(migration);
    sql.exec("DELETE FROM schema_version");
    sql.exec("INSERT INTO schema_version (version) VALUES (?)", migrations.length);
  });
}
