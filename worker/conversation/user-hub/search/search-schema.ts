/**
 * The tables of the search index. All of it is derived from the list of chats and from the rooms: a new form of it is
 * built again and never migrated, and none of it is there before its user first searches.
 */

/** Grows with whatever changes what the index holds or how; an index of another form is dropped and read again. */
const FORMAT = 4;

/** Every sign that a word may hold counts, vowel signs of Indic scripts and emoji too; accents are off before (search-tokens.ts). */
const TOKENIZER = `tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co So'"`;

/**
 * `search_state`: how far the list was taken over, as the cursor and id of the last chat, and when its user last searched, in epoch
 * milliseconds.
 * `search_chats`: `card` is what `search_cards` holds of it under `card_id`, null once the chat is gone; `version` and `next_seq` say
 * up to where its texts were read, `open` which of them were not final; `stale` is the list's cursor at the change that is not read
 * yet, null where all is.
 * `search_places`: a message, todo or mail, of a very long message one for each `part`. Their `id` and `card_id` are times in hundredths of a
 * second, or the first free number after it, so the newest are found first.
 * `search_words`: columns to ask by: what it says, who wrote it, and in `scope` its chat, its kind, and `me`.
 * Prefixes of three to five letters have an index of their own, as they match the most texts.
 */
const TABLES = `
  CREATE TABLE search_state (
    format INTEGER NOT NULL,
    cursor INTEGER NOT NULL DEFAULT 0,
    chat_id TEXT NOT NULL DEFAULT '',
    searched_at INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO search_state (format) VALUES (${FORMAT});
  CREATE TABLE search_chats (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id TEXT NOT NULL UNIQUE,
    card_id INTEGER UNIQUE,
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
    part INTEGER NOT NULL,
    author_id TEXT,
    author_name TEXT,
    model_id TEXT,
    at TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE UNIQUE INDEX search_places_by_chat ON search_places (chat, kind, place_id, part);
  CREATE VIRTUAL TABLE search_words USING fts5(text, author, scope, content = '', contentless_delete = 1, prefix = '3 4 5', ${TOKENIZER});
  CREATE VIRTUAL TABLE search_cards USING fts5(title, marks, content = '', contentless_delete = 1, prefix = '1 2 3', ${TOKENIZER});`;

/** The artifacts that were read: `mark` is the version and title that were, `number` the row of their words. Derived like all of the index. */
export const ARTIFACT_TABLES = `
  CREATE TABLE IF NOT EXISTS search_artifacts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    artifact_id TEXT NOT NULL UNIQUE,
    mark TEXT NOT NULL,
    at TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS search_artifact_words
    USING fts5(title, text, content = '', contentless_delete = 1, prefix = '3 4 5', ${TOKENIZER});`;

/** Whether there is an index, of the current form or another. */
export function indexState(sql: SqlStorage): "none" | "current" | "other" {
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'search_state'").toArray().length === 0) return "none";
  return sql.exec<{ format: number }>("SELECT format FROM search_state").one().format === FORMAT ? "current" : "other";
}

/** When the index's user last searched, in epoch milliseconds; 0 for never. */
export function lastSearchedAt(sql: SqlStorage): number {
  return indexState(sql) === "none" ? 0 : sql.exec<{ searched_at: number }>("SELECT searched_at FROM search_state").one().searched_at;
}

/** Makes an empty index unless there is one of the current form. */
export function openIndex(storage: DurableObjectStorage): void {
  if (indexState(storage.sql) !== "current") resetIndex(storage);
}

/** Makes an empty index in the place of what there is; when its user last searched is kept. */
export function resetIndex(storage: DurableObjectStorage): void {
  const at = lastSearchedAt(storage.sql);
  storage.transactionSync(() => {
    dropIndex(storage);
    storage.sql.exec(TABLES);
    storage.sql.exec("UPDATE search_state SET searched_at = ?", at);
  });
}

/** Forgets the whole index. */
export function dropIndex(storage: DurableObjectStorage): void {
  storage.transactionSync(() => {
    for (const name of [
      "search_state",
      "search_chats",
      "search_places",
      "search_words",
      "search_cards",
      "search_artifacts",
      "search_artifact_words",
    ]) {
      storage.sql.exec(`DROP TABLE IF EXISTS ${name}`);
    }
  });
}
