/** The tables that the first `version` migrations make, said at once. */
export interface Schema {
  version: number;
  tables: string;
}

/**
 * Brings the tables of an object's storage up to date, in one transaction: each migration runs once, in its order. A new object
 * gets the tables of `schema` instead of those that made them step by step: each change of a table has SQLite read all of them anew.
 * Tables of a newer version stay as they are: this is then the code of before, which a deployment went back to.
 */
export function migrateObject(storage: DurableObjectStorage, migrations: readonly string[], schema?: Schema): void {
  const { sql } = storage;
  const versionIn = (table: string) =>
    sql.exec<{ version: number | null }>(`SELECT max(version) AS version FROM ${table}`).one().version ?? 0;
  storage.transactionSync(() => {
    sql.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    const noted = versionIn("schema_version");
    if (noted === migrations.length) return;
    // Version 0.1.0 writes its own number over a higher one, and what ran would run again.
    sql.exec("CREATE TABLE IF NOT EXISTS schema_newest (version INTEGER NOT NULL)");
    const newest = versionIn("schema_newest");
    let version = Math.max(noted, newest);
    if (version === 0 && schema) {
      sql.exec(schema.tables);
      ({ version } = schema);
    }
    for (const migration of migrations.slice(version)) sql.exec(migration);
    version = Math.max(version, migrations.length);
    if (noted !== version) noteVersion(sql, "schema_version", version);
    if (newest !== version) noteVersion(sql, "schema_newest", version);
  });
}

function noteVersion(sql: SqlStorage, table: string, version: number): void {
  sql.exec(`DELETE FROM ${table}`);
  sql.exec(`INSERT INTO ${table} (version) VALUES (?)`, version);
}
