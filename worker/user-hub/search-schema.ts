/**
 * The tables of the search index. All of it is derived from the list of chats and from the rooms: a new form of it is
 * built anew and never migrated, and none of it is there before its user first searches.
 */

/** Grows with whatever changes what the index holds or how; an index of another form is dropped and read anew. */
const FORMAT = 1;

/** Every sign that a word may hold counts, vowel signs of Indic scripts and emoji too; accents are off before (search-tokens.ts). */
const TOKENIZER = `tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co So'"`;

/**
 * `search_state`: how far the list was taken over, as its cursor, and when its user last searched, in epoch milliseconds.
 * `search_chats`: `card` is what `search_cards` holds of it; `version` and `next_seq` say up to where its texts were read, `open` which
 * of them were not final; `stale` is the list's cursor at the change that is not read yet, null where all is.
 * `search_places`: `id` is the time in hundredths of a second, or the first free number after it, so that the newest are found first.
 * `search_words`: columns to ask by: what it says, who wrote it, and in `scope` its chat, its kind, and `me`.
 * Prefixes of three and four letters have an index of their own, as they match the most texts.
 */
const TABLES = `
  CREATE TABLE search_state (format INTEGER NOT NULL, cursor INTEGER NOT NULL, searched_at INTEGER NOT NULL);
  INSERT INTO search_state (format, cursor, searched_at) VALUES (${FORMAT}, 0, 0);
  CREATE TABLE search_chats (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id TEXT NOT NULL UNIQUE,
    card TEXT NOT NULL,
    is_own INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT -1,
    next_seq INTEGER NOT NULL DEFAULT 0,
    open TEXT NOT NULL DEFAULT '[]',
    stale INTEGER
  );
  CREATE INDEX search_stale ON search_chats (stale) WHERE stale IS NOT NULL;
  CREATE TABLE search_places (
    id INTEGER PRIMARY KEY,
    chat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    place_id TEXT NOT NULL,
    author_id TEXT,
    author_name TEXT,
    model_id TEXT,
    at TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE UNIQUE INDEX search_places_by_chat ON search_places (chat, kind, place_id);
  CREATE VIRTUAL TABLE search_words USING fts5(text, author, scope, content = '', contentless_delete = 1, prefix = '3 4', ${TOKENIZER});
  CREATE VIRTUAL TABLE search_cards USING fts5(title, marks, content = '', contentless_delete = 1, prefix = '1 2 3', ${TOKENIZER});`;

/** True where there is an index of any form. */
export function hasIndex(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'search_state'").toArray().length > 0;
}

/** Makes an empty index unless there is one of the current form. */
export function openIndex(storage: DurableObjectStorage): void {
  const { sql } = storage;
  if (hasIndex(sql)) {
    if (sql.exec<{ format: number }>("SELECT format FROM search_state").one().format === FORMAT) return;
    dropIndex(storage);
  }
  storage.transactionSync(() => sql.exec(TABLES));
}

/** Forgets the whole index. */
export function dropIndex(storage: DurableObjectStorage): void {
  storage.transactionSync(() => {
    for (const name of ["search_state", "search_chats", "search_places", "search_words", "search_cards"]) {
      storage.sql.exec(`DROP TABLE IF EXISTS ${name}`);
    }
  });
}
