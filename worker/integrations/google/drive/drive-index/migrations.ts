import { migrateObject } from "#worker/platform/migrate-object.ts";

/**
 * `run`: one row. `listing` says through what the run's listing goes, `pass` names that listing, which a later run may go on with;
 * `changes_from` is where the changes after it begin.
 * `files`: `state` is `waiting` (to be read), `deleted` (to be forgotten), `indexed`, `skipped` or `failed`; `indexed_version` is the version whose
 * passages are in an index, null for none; `seen` the pass that listed it last; `trouble` how often Drive failed to give it.
 * `lanes`: `token` is the message's that reads there, or is to; `claim` what it took its files by, null until it came; `last_token` the
 * message's before it.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE run (
     user_id TEXT NOT NULL,
     run TEXT NOT NULL,
     phase TEXT NOT NULL,
     is_asked INTEGER NOT NULL,
     listing TEXT NOT NULL,
     pass TEXT NOT NULL,
     cursor TEXT,
     changes_from TEXT,
     message TEXT,
     waits INTEGER NOT NULL DEFAULT 0,
     wait_until INTEGER NOT NULL DEFAULT 0,
     progress_at INTEGER NOT NULL,
     started_at INTEGER NOT NULL,
     finished_at INTEGER
   );
   CREATE TABLE files (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     mime_type TEXT NOT NULL,
     version TEXT NOT NULL,
     link TEXT,
     resource_key TEXT,
     state TEXT NOT NULL,
     reason TEXT,
     indexed_version TEXT,
     seen TEXT NOT NULL,
     is_target INTEGER NOT NULL DEFAULT 0,
     tries INTEGER NOT NULL DEFAULT 0,
     lane INTEGER,
     lease_until INTEGER NOT NULL DEFAULT 0,
     trouble INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE INDEX files_by_state ON files (state, lease_until);
   CREATE TABLE shortcuts (
     id TEXT PRIMARY KEY,
     target TEXT NOT NULL,
     seen TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX shortcuts_by_target ON shortcuts (target);
   CREATE TABLE lanes (
     lane INTEGER PRIMARY KEY,
     token TEXT NOT NULL,
     last_token TEXT,
     claim TEXT,
     lease_until INTEGER NOT NULL
   ) WITHOUT ROWID;`,
];

export function migrate(storage: DurableObjectStorage): void {
  migrateObject(storage, MIGRATIONS);
}

/** Whether there is an index at all: who only asks makes none. */
export function isMade({ sql }: DurableObjectStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'run'").toArray().length > 0;
}
