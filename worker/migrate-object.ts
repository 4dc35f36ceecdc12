/** The tables that the first `version` migrations make, said at once. */
export interface Schema {
  version: number;
  tables: string;
}

/**
 * Brings the tables of an object's storage up to date, in one transaction: each migration runs once, in its order. A new object
 * gets the tables of `schema` instead of those that made them step by step: each change of a table has SQLite read all of them anew.
 */
export function migrateObject(storage: DurableObjectStorage, migrations: readonly string[], schema?: Schema): void {
  storage.transactionSync(() => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    let version = storage.sql.exec<{ version: number }>("SELECT version FROM schema_version").toArray()[0]?.version ?? 0;
    if (version === migrations.length) return;
    if (version === 0 && schema) {
      storage.sql.exec(schema.tables);
      ({ version } = schema);
    }
    for (const migration of migrations.slice(version)) storage.sql.exec(migration);
    storage.sql.exec("DELETE FROM schema_version");
    storage.sql.exec("INSERT INTO schema_version (version) VALUES (?)", migrations.length);
  });
}
