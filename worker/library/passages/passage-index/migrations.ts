import { migrateObject } from "#worker/platform/migrate-object.ts";

/**
 * `documents`: `id` is null while a document is being written (`writing` names the attempt, `document_id` what it becomes).
 * `passage_words`: the passages' words as worker/platform/db/search-tokens.ts folds them; its rows go by the passages' ids.
 * `vectors`: embeddings as bytes (vectors.ts); `next` is that of the model that is to take over.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE settings (
     owner_id TEXT NOT NULL,
     model TEXT,
     next_model TEXT,
     waits_for_credit INTEGER NOT NULL DEFAULT 0,
     embedded_by TEXT
   );
   CREATE TABLE documents (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT UNIQUE,
     document_id TEXT NOT NULL,
     writing TEXT NOT NULL,
     name TEXT NOT NULL,
     place INTEGER NOT NULL,
     pages INTEGER,
     is_complete INTEGER NOT NULL DEFAULT 1,
     characters INTEGER NOT NULL DEFAULT 0,
     passages INTEGER NOT NULL DEFAULT 0
   );
   CREATE INDEX documents_by_document ON documents (document_id);
   CREATE TABLE passages (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     document INTEGER NOT NULL,
     start INTEGER NOT NULL,
     text TEXT NOT NULL,
     page INTEGER,
     sheet TEXT,
     row INTEGER,
     last_row INTEGER,
     heading TEXT,
     header TEXT
   );
   CREATE INDEX passages_by_document ON passages (document, start);
   CREATE VIRTUAL TABLE passage_words USING fts5(text, heading, name, content = '', contentless_delete = 1, tokenize = "porter unicode61 remove_diacritics 0 categories 'L* M* N* Co So'");
   CREATE TABLE vectors (
     passage INTEGER PRIMARY KEY,
     vector BLOB,
     next BLOB
   );`,
];

export function migrate(storage: DurableObjectStorage): void {
  migrateObject(storage, MIGRATIONS);
}

/** Whether there is an index at all: who only asks makes none. */
export function isMade({ sql }: DurableObjectStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'documents'").toArray().length > 0;
}
