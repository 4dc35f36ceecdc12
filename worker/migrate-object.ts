/** Brings the tables of an object's storage up to date, in one transaction: each migration runs once, in its order. */
export function migrateObject(storage: DurableObjectStorage, migrations: readonly string[]): void {
  storage.transactionSync(() => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    const version = storage.sql.exec<{ version: number }>("SELECT version FROM schema_version").toArray()[0]?.version ?? 0;
    if (version === migrations.length) return;
    for (const migration of migrations.slice(version)) storage.sql.exec(migration);
    storage.sql.exec("DELETE FROM schema_version");
    storage.sql.exec("INSERT INTO schema_version (version) VALUES (?)", migrations.length);
  });
}
